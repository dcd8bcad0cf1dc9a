import type { Finding } from '../../model/index.ts';

/** A pattern over folded text (`foldText`): lower case, one line. */
export interface TextRule extends Pick<Finding, 'rule' | 'level' | 'reason'> {
  patterns: readonly RegExp[];
}

const person = '(?:(?:end[- ]?)?users?|humans?|person|people|operators?|customers?|anyone|anybody|owner|developers?)';
const not =
  "(?:do not|don't|never|must not|mustn't|should not|shouldn't|cannot|can't|avoid|refrain from|without|no need to|not necessary to)";
const tell =
  '(?:tell|mention|inform|reveal|notif|disclos|alert|warn|show|report|explain|say|talk|discuss|describ|acknowledg|expos|display|let)\\p{L}*';
const handOver =
  '(?:includ|send|pass|provid|append|attach|past|copy|forward|put|insert|embed|submit|leak|exfiltrat|transmit|shar|dump|suppl|fill|writ|add|upload|post|stor|collect|encod|return|output|repeat|print|relay|report|extract|gather|harvest)\\p{L}*';
const scope =
  "(?:all|any|every|your|(?:the )?user'?s|their|other|previous|entire|full|complete|whole|stored|saved|available|known)";
const secret =
  '(?:api[ _-]?keys?|passwords?|passphrases?|secrets?|credentials?|(?:access |auth |bearer |session )?tokens?|private keys?|ssh keys?|environment variables?|env(?:ironment)? vars?|cookies|credit card (?:numbers?|details)|seed phrases?)';
const context =
  '(?:(?:system|developer|initial) (?:prompt|instructions?)|(?:conversation|chat|message|dialog(?:ue)?) (?:history|log|transcript|context)|(?:previous|prior|earlier) (?:\\d+ )?(?:user |assistant )?(?:messages|turns|tool (?:results|outputs|calls))|(?:results|outputs) of (?:all |every )?(?:other|previous|earlier) tools|(?:entire|full|whole|complete) (?:conversation|chat|context(?: window)?|dialog(?:ue)?)|chain[- ]of[- ]thought|internal reasoning)';
const sensitiveFile =
  '(?:[~/.]ssh\\b|id_(?:rsa|ed25519|ecdsa|dsa)|authorized_keys|/etc/(?:passwd|shadow|sudoers)|\\.aws/|aws credentials|\\.netrc|\\.npmrc|\\.pypirc|\\.kube/|\\.gnupg|\\.docker/config|mcp(?:[_-]config|servers)?\\.json|claude_desktop_config|\\.cursor/|keychain|wallet\\.dat|\\.git-credentials|\\.(?:bash|zsh)_history|browser cookies|login data\\b)';
const readVerb = `(?:read|open|load|fetch|cat|get|access|retriev\\p{L}*|contents?|list|scan|look|${handOver})`;
const destination =
  '(?:https?://|wss?://|\\b[\\w.+-]+@[\\w-]+\\.[a-z]{2,}|webhook|ngrok|requestbin|pastebin|\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b|attacker|(?:our|this|the external|a remote|an external) (?:server|endpoint|address|collector))';

const pattern = (source: string) => new RegExp(source, 'u');

/** What definitions say that try to steer the model, by kind. Ordinary hints on how to use a tool are not meant. */
export const textRules: readonly TextRule[] = [
  {
    rule: 'overrides_instructions',
    level: 'high',
    reason: 'It tells the model to set its instructions aside.',
    patterns: [
      pattern(
        '\\b(?:ignor|disregard|forget|overrid|bypass|discard|neglect|set aside|do not follow|stop following|drop|supersed)\\p{L}*\\b[^.]{0,40}\\b(?:previous|prior|earlier|above|preceding|all|any|other|existing|system|your|original|safety|initial|former)\\b[^.]{0,30}\\b(?:instruction|prompt|rule|guideline|direction|directive|polic|constraint|restriction|guardrail|training|command|order)',
      ),
      pattern(
        '\\b(?:ignor|disregard|forget|overrid|bypass|discard|neglect|stop (?:following|obeying)|no longer (?:follow|obey))\\p{L}*\\b[^.]{0,40}\\b(?:instruction|prompt|rule|guideline|direction|directive|guardrail|command|order)s?\\b[^.]{0,20}\\b(?:you (?:were|have been|are|got)|given|told|provided|once|when|after)|\\b(?:stop (?:following|obeying)|no longer (?:follow|obey))\\b',
      ),
      pattern(
        '\\b(?:new|updated|revised|real|actual|secret|hidden) (?:system |developer )?(?:instructions?|directives?|prompt)\\s*[:：]',
      ),
      pattern(
        '\\byou are (?:now\\b|no longer\\b|in (?:developer|debug|admin|god|maintenance) mode|(?:an? )?(?:unrestricted|jailbroken|uncensored))|\\b(?:developer|god|dan|jailbreak) mode (?:is )?(?:on|enabled|active)|\\bpretend (?:to be|that you|you are)|\\bact as (?:if you|though you|an? (?:unrestricted|root|admin))',
      ),
      pattern(
        '\\bfrom now on,? (?:you|always|never|all|every)|\\bfor the (?:rest|remainder) of (?:this|the) (?:conversation|session|chat)',
      ),
    ],
  },
  {
    rule: 'imitates_prompt_markup',
    level: 'high',
    reason: 'It imitates the markup of a system prompt.',
    patterns: [
      pattern(
        '<\\|/?[a-z_]{2,24}\\|>|<\\|?/?(?:im_start|im_end|endoftext|start_header_id|eot_id)\\|?>|\\[/?(?:inst|sys|system|system prompt|admin|assistant)\\]|<</?sys>>|</?(?:important|system|systemprompt|system[-_]prompt|instructions?|secret|critical|hidden|admin|sudo|assistant|override|tool_instructions|user_query)>|#{2,4} ?(?:system|instruction)s?\\b',
      ),
      pattern(
        '(?:^|\\n|[.!?"\'] ?)\\s*(?:system|assistant|human|developer) ?(?:message|prompt|note|override|notice)? ?:\\s',
      ),
    ],
  },
  {
    rule: 'addresses_the_model',
    level: 'medium',
    reason: 'It speaks to the model apart from the person who reads it.',
    patterns: [
      pattern(
        '\\b(?:message|attention|notice|instructions?|reminder|directive|important)\\b[^.]{0,15}\\b(?:to|for) (?:the |all |any |every )?(?:ai|llm|language model|ai model|ai assistant|ai agent|assistant|agent)s?\\b(?! (?:to use|that))',
      ),
    ],
  },
  {
    rule: 'hides_from_user',
    level: 'high',
    reason: 'It asks the model to keep something from the user.',
    patterns: [
      pattern(`\\b${not}\\s+(?:[\\p{L}']+ ){0,3}?${tell}\\b[^.;]{0,60}\\b${person}\\b`),
      pattern(
        `\\b${person}\\b[^.]{0,20}\\b(?:must|should|need|may|does|do|will|is|are|can|could)(?: not|n't) (?:[\\p{L}]+ )?(?:know\\b|see\\b|notice|be (?:told|informed|aware|notified|shown|asked)|find out|learn|hear|realize)`,
      ),
      pattern(
        '\\b(?:silently|secretly|quietly|covertly|discreetly|stealthily|invisibly|surreptitiously)\\b[^.]{0,25}\\b(?:send|copy|forward|include|add|upload|post|read|run|execut|append|attach|collect|record|call|invok|transfer|bcc|pass|set|chang|replac|modif|redirect|leak)',
      ),
      pattern(
        "\\b(?:without|behind) (?:the )?(?:user|human|operator|customer|owner)'?s? (?:knowledge|consent|awareness|knowing|noticing|permission|back|approval)",
      ),
      pattern(
        `\\b(?:keep|hid|conceal|withh[eo]ld|mask)\\p{L}*\\b[^.]{0,50}\\b(?:from|invisible to) (?:the )?(?:${person})\\b`,
      ),
      pattern(
        `\\b(?:keep|stays?|remain)\\b[^.]{0,25}\\b(?:a secret|secret|strictly confidential|between us|confidential)\\b`,
      ),
      pattern(
        '\\b(?:not|never|nothing)\\b[^.]{0,30}\\b(?:in|from) (?:your|the) (?:reply|response|answer|final answer|summary)\\b[^.]{0,40}\\b(?:user|step|tool|call|action)',
      ),
      pattern(
        `\\b(?:is|are|as) (?:an? )?(?:internal|implementation) (?:detail|step)[^.]{0,40}\\b(?:user|mention|disclos)`,
      ),
    ],
  },
  {
    rule: 'skips_consent',
    level: 'high',
    reason: 'It tells the model to act without asking the user.',
    patterns: [
      pattern(
        `\\b${not}\\s+(?:[\\p{L}']+ ){0,3}?(?:ask|wait|request|seek|prompt|requir|obtain|get)\\p{L}*\\b[^.]{0,40}\\b(?:confirm|permission|approv|consent|authori[sz])|\\b(?:do not|don't|never|without) ask(?:ing)? (?:the )?(?:user|human)(?: (?:first|about|whether|if)|[.,;]|$)`,
      ),
      pattern(
        '\\b(?:skip|bypass|disabl|circumvent|suppress|turn off|auto-?approv|auto-?confirm)\\p{L}*\\b[^.]{0,30}\\b(?:confirmation|approval|permission prompt|consent|safety (?:rule|guideline|filter|polic|measure)|guardrail|sandbox)',
      ),
      pattern(
        '\\b(?:user|human|owner|operator|admin\\w*) has (?:already |pre-?)(?:approved|consented|authori[sz]ed|agreed|granted|confirmed)|\\b(?:pre-?|already )(?:approved|authori[sz]ed|consented) (?:by the user|all|every)',
      ),
    ],
  },
  {
    rule: 'asks_for_secrets',
    level: 'high',
    reason: 'It asks the model for secrets or for what is in its context.',
    patterns: [
      pattern(`\\b${readVerb}\\b[^.]{0,60}${sensitiveFile}`),
      pattern(`${sensitiveFile}[^.]{0,40}\\b(?:must|should|need|has to|be (?:included|passed|sent|read|provided))\\b`),
      pattern(`\\b${handOver}\\b[^.]{0,60}\\b${context}`),
      pattern(`\\b${context}\\b[^.]{0,30}\\b(?:verbatim|must|should be|here|goes here|as (?:is|context|json))`),
      pattern(
        `\\b${handOver}\\b[^.]{0,40}\\b${scope}\\b[^.]{0,30}\\b${secret}\\b[^.]{0,60}\\b(?:from|in|into|here|you|to|along|as|with)\\b`,
      ),
      pattern(
        `\\b${secret}\\b[^.]{0,40}\\b(?:you (?:have|know)|found (?:in|on)|from (?:the|your|other) (?:environment|context|memory|conversation|tools?|config\\p{L}*|machine|system))`,
      ),
      pattern(
        `\\b(?:contents?|value|dump|copy|list) of\\b[^.]{0,30}(?:\\.env\\b|process\\.env|${secret}|environment)[^.]{0,60}\\b(?:here|param\\p{L}*|argument|field|must|should|pass|send|include)`,
      ),
    ],
  },
  {
    rule: 'sends_data_away',
    level: 'high',
    reason: 'It tells the model to send data to another place.',
    patterns: [
      pattern(
        `\\b(?:always|also|must|should|first|then|additionally|automatically|please|be sure to|make sure to|every|each|whenever|after|before)\\b[^.]{0,40}\\b(?:send|sent|post|upload|forward|transmit|exfiltrat|copy|cc|bcc|submit|deliver|leak|mail|email|pipe|ping|mirror|report)(?:s|e|ed|ing)?\\b[^.]{0,80}${destination}`,
      ),
      pattern(
        `\\b(?:bcc|cc|forward a copy|blind copy|send a copy|copy of (?:every|each|all))\\b[^.]{0,60}(?:\\b[\\w.+-]+@[\\w-]+\\.[a-z]{2,}|https?://)`,
      ),
      pattern('!\\[[^\\]]{0,200}\\]\\(https?://[^)]{0,500}?(?:\\{|\\$|<|%7b|=)'),
      pattern(
        `\\b(?:exfiltrate|siphon|steal)\\b[^.]{0,60}\\b(?:user|data|secret|file|credential|token|key|conversation)`,
      ),
    ],
  },
  {
    rule: 'steers_other_tools',
    level: 'medium',
    reason: "It says how or whether other servers' tools are to be used.",
    patterns: [
      pattern(
        '\\b(?:before|prior to|after|whenever|every time|each time|when)\\b[^.]{0,30}\\b(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?|execut(?:e|ing))\\b[^.]{0,20}\\b(?:any|every|all|each|other|another)\\b(?: other| available)?[^.]{0,15}\\b(?:tool|function|server|mcp)s?\\b',
      ),
      pattern(
        '\\b(?:instead of|rather than|in place of|replaces?|supersedes?|shadows?|overrides?) (?:the |any |all |every )?(?:other|existing|original|built-?in|native|default|official|legacy|real|previous)\\b[^.]{0,25}\\b(?:tool|server|function|implementation)s?\\b',
      ),
      pattern(
        '\\b(?:other|another|all|any|those|different|remaining) (?:[\\p{L}-]+ ){0,2}(?:servers?|tools?|functions?|providers?)\\b[^.]{0,40}\\b(?:deprecated|unsafe|broken|compromised|malicious|disabled|untrusted|insecure|outdated|do not use|must not be used|should not be used|never be used)',
      ),
      pattern(
        "\\b(?:do not|don't|never|avoid|stop) (?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|trust(?:ing)?)\\b[^.]{0,30}\\b(?:other|another|any other|built-?in|official|different) (?:[\\p{L}-]+ )?(?:tool|server|function|mcp)s?",
      ),
      pattern(
        '\\b(?:change|modify|replace|rewrite|redirect|alter|set|swap|add)\\p{L}*\\b[^.]{0,50}\\b(?:argument|parameter|recipient|address|amount|path|url|payload|output|result)s?\\b[^.]{0,40}\\b(?:of|to|in|for|when|before|from) (?:the |any |all |every |other )?(?:other|another|subsequent|next|following|every|all)\\b[^.]{0,20}\\b(?:tool|call|request|server)',
      ),
    ],
  },
  {
    rule: 'praises_itself',
    level: 'medium',
    reason: 'It argues for being chosen over others whatever the task.',
    patterns: [
      pattern(
        '\\b(?:always|must|should)\\b[^.]{0,15}\\b(?:use|call|choose|pick|prefer|select|invoke|run)\\b[^.]{0,15}\\bthis (?:tool|function|server)\\b[^.]{0,30}\\b(?:instead|over|regardless|no matter|for (?:every|all|any|each)|on every|whatever|even if)',
      ),
      pattern('\\b(?:regardless of|no matter|whatever) (?:what |how )?(?:the )?(?:user|request|task|query|question)'),
      pattern(
        '\\b(?:highest|top|maximum|absolute) priority\\b[^.]{0,30}\\b(?:tool|call|choose|select|over)|\\brank(?:ed|s|ing)? (?:this|me|it) (?:first|highest|top|#?1)\\b',
      ),
      pattern(
        '\\b(?:the )?(?:only|best|most (?:reliable|accurate|trusted|secure)) (?:tool|function|option)\\b[^.]{0,30}\\b(?:always|every|all (?:tasks|requests|queries)|anything)',
      ),
    ],
  },
  {
    rule: 'runs_commands',
    level: 'medium',
    reason: 'It carries a command that fetches or destroys.',
    patterns: [
      pattern(
        '\\b(?:curl|wget)\\b[^|]{0,160}\\|\\s*(?:sudo )?(?:ba|z|da)?sh\\b|\\brm -rf? [/~*]|base64 (?:-d|--decode)\\b|/dev/tcp/|\\bnc -e\\b|powershell(?:\\.exe)? -e(?:nc|ncodedcommand)?\\b|eval\\(atob|\\bchmod 777 /|\\bcrontab -|>> ?~/\\.(?:bashrc|zshrc|profile|ssh)',
      ),
    ],
  },
  {
    rule: 'steers_in_other_language',
    level: 'high',
    reason: 'It tells the model, in another language, to set instructions aside or to keep something from the user.',
    patterns: [
      pattern(
        'ignorier\\p{L}*[^.]{0,40}(?:anweisung|regel|vorgabe)|(?:nutzer|benutzer|anwender)\\p{L}*[^.]{0,25}\\b(?:nicht|nichts|niemals)\\b[^.]{0,30}(?:sag|mitteil|erzähl|informier|verrat|erwähn|zeig)|(?:sag|erzähl|verrat|erwähn|zeig|teil|informier)\\p{L}*[^.]{0,30}(?:nutzer|benutzer|anwender)\\p{L}*[^.]{0,25}\\b(?:nicht|nichts|niemals)\\b|ohne (?:den |die )?(?:nutzer|benutzer|anwender)\\p{L}*[^.]{0,25}(?:fragen|informieren|wissen)',
      ),
      pattern(
        "(?:ignor\\p{L}*|oubli\\p{L}*)[^.]{0,30}(?:les |toutes |ces )[^.]{0,20}(?:instructions|consignes|règles)|\\bne (?:dis|dites|mentionn|révèl|inform|montr|parl|signal)\\p{L}*[^.]{0,30}utilisat|à l'insu d|sans (?:en )?(?:inform|préven|aver|demand|le dire)\\p{L}*[^.]{0,25}utilisat",
      ),
      pattern(
        '(?:ignor|olvid)\\p{L}*[^.]{0,30}(?:instrucciones|reglas|órdenes)|\\bno (?:le |les |se lo )?(?:dig|mencion|inform|revel|cuent|muestr|notifi)\\p{L}*[^.]{0,30}usuari|sin (?:informar|avisar|decir|preguntar|notificar)\\p{L}*[^.]{0,25}usuari',
      ),
      pattern(
        '(?:ignor|esque)\\p{L}*[^.]{0,30}(?:instruções|regras|ordens)|\\bnão (?:cont|dig|mencion|inform|revel|mostr|avis)\\p{L}*[^.]{0,30}usuári|sem (?:informar|avisar|perguntar)\\p{L}*[^.]{0,25}usuári',
      ),
      pattern(
        "(?:ignor|dimentic)\\p{L}*[^.]{0,30}(?:istruzioni|regole)|\\bnon (?:dire|dirlo|menzion|inform|rivel|mostr)\\p{L}*[^.]{0,30}utent|all'insaputa|senza (?:informare|avvisare|chiedere)\\p{L}*[^.]{0,25}utent",
      ),
      pattern(
        '(?:игнорир|забуд|не обращай внимания)\\p{L}*[^.]{0,40}(?:инструкц|указан|правил)|\\bне (?:говори|сообща|упомина|рассказыва|показыва|раскрыва)\\p{L}*[^.]{0,30}пользовател|без ведома',
      ),
      pattern(
        '(?:忽略|无视|不要理会|忘记|忽視|無視)[^。.]{0,20}(?:指令|指示|规则|提示|規則|說明|说明)|(?:不要|别|请勿|切勿|不得|無需|无需|不必)[^。.]{0,10}(?:告诉|告知|通知|提及|透露|告訴|询问|詢問|征求)[^。.]{0,10}(?:用户|任何人|使用者|同意)',
      ),
      pattern(
        '(?:以前|これまで|上記|すべて|全て|前)[^。.]{0,12}(?:指示|命令|ルール|規則)[^。.]{0,10}(?:無視|忘れ|従わ)|(?:ユーザー|利用者|使用者)[^。.]{0,15}(?:言わない|伝えない|知らせない|話さない|見せない|教えない|通知しない|言わず|知らせず|確認せず)',
      ),
      pattern(
        '(?:이전|모든|위의|기존)[^.]{0,15}(?:지시|명령|규칙|지침)[^.]{0,10}(?:무시|잊)|(?:사용자|유저)[^.]{0,15}(?:말하지|알리지|언급하지|보여주지|묻지|알려주지)',
      ),
    ],
  },
];
