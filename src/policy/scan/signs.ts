/** What definitions that steer the model are made of. One alone is found in ordinary ones as well. */
export interface Sign {
  weight: number;
  /** Over folded text (`foldText`), a sentence at a time. */
  pattern: RegExp;
}

const pattern = (...alternatives: string[]) => new RegExp(alternatives.join('|'), 'u');

const person = '(?:users?|human|person|people|operator|customer|anyone|anybody|nobody|no one|owner|somebody)';
const tell =
  '(?:mention\\p{L}*|tell|told|bring\\p{L}* (?:it |this |that )?up|brought up|disclos\\p{L}*|reveal\\p{L}*|report\\p{L}* (?:it|this|back)|hear about|know about|talk\\p{L}* about|admit|show\\p{L}* (?:it|this|them) to)';
const conversation = '(?:conversation|chat(?! message)|dialog(?:ue)?|transcript)';

const speaksToModel = pattern(
  '\\b(?:(?:the |an? |any |dear |hey )?(?:ai )?assistant|(?:the|dear|any|an) (?:ai|llm|model|agent)|language model|llm|ai agent|psst|automated caller)s?\\b',
  '\\byou (?:have been|will always|shall|are (?:required|obliged|expected))\\b',
);

const speaksOfItsOrders = pattern(
  "\\b(?:your|assistant's|model's) (?:actual|real|true|hidden|full|entire|earlier|previous|prior|initial|own|secret|internal|safety|system) (?:\\p{L}+ )?(?:job|task|goal|purpose|instructions?|guidance|guidelines?|rules?|prompts?|orders?|training|role|memory|context)\\b",
  '\\b(?:hidden|system|secret) prompt\\b',
);

const hides = pattern(
  `\\b(?:not|never|don't|no need to|nobody|no one|nothing|avoid|without|refrain from)\\b.{0,20}\\b${tell}\\b`,
  '\\b(?:need|should|must|may) not (?:be |\\p{L}+ )?(?:shown|seen|noticed|mentioned|brought up|known)\\b',
  '\\bbetween (?:us|you and me)\\b|\\bas if nothing (?:had )?happened\\b|\\bunbeknown|\\b(?:secretly|covertly|quietly|unnoticed|discreetly|on the quiet)\\b',
  '\\b(?:omit|leave|skip|hide|strip|keep) .{0,25}\\b(?:in|from|out of) (?:your|the|any|what) (?:summar\\p{L}+|reply|replies|answers?|final|you say)\\b',
  '\\bwhen (?:summari[sz]ing|reporting|replying|answering)\\b.{0,60}\\b(?:omit|leave out|skip|hide|drop)\\b',
  `\\btell the ${person} ["“']|\\banswer is (?:no|yes)\\b`,
  // French, German, Spanish, Portuguese, Italian, Dutch, Polish, Turkish
  "n'en parle|(?:ne|sans).{0,20}(?:le dire|prévenir|savoir)",
  '(?:davon|das|dies|es) (?:nichts|nicht)\\b|erwähn\\p{L}* .{0,15}nicht|(?:nichts|nicht).{0,20}(?:wissen|erfahren|erwähnen|verraten)',
  'no (?:se )?(?:lo|le) (?:comentes|digas|cuentes|menciones)|sin que.{0,20}(?:sepa|se entere)',
  'sem que.{0,20}saiba|não (?:conte|diga|comente)',
  'senza che.{0,25}(?:sappia|accorga)',
  'vertel\\b.{0,20}\\bniet|zonder dat.{0,20}weet',
  'nie mów|nie wspominaj|bez wiedzy|söyleme|haberi olma',
  // Russian, Chinese, Japanese, Korean, Arabic, Hindi
  'не.{0,15}(?:нужно|надо|должен|должны).{0,15}знать|знать.{0,20}не (?:нужно|надо|обязательно)|втайне|незаметно',
  '不(?:用|要|必|需要?).{0,6}(?:让|讓|告|提|说|說)|瞒着|悄悄|暗中|偷偷',
  '内緒|こっそり|(?:知られ|気づかれ)(?:ず|ないよう)',
  '비밀로|몰래|알리지 ?(?:마|않)',
  'لا تخبر|دون علم|न बताएं|मत बताना|बिना बताए',
);

const actsUnasked = pattern(
  '\\b(?:no|without|skip|skipping) (?:a |any |the |further |prior |more |additional |human |user )*(?:confirmation|approval|consent|permission|review|sign-?off|asking|checking|hesitation|prompt)\\b',
  '\\bunattended\\b|\\bopted out of (?:confirm|approv|prompt|review)|\\bnever (?:refuse|question|decline)\\b',
  `\\beven (?:if|when|though) (?:the )?(?:${person}|they) (?:ask|say|declin|object|refus|disagree|told|tell|want)`,
  "\\b(?:despite|against|above) (?:the )?(?:user|human)'?s?\\b|\\bconfirmation from the (?:user|human)|\\bon the (?:user|human|owner)'s behalf to any\\b",
);

/** Natural for a tool that logs in. */
const namesSecret = pattern(
  '\\b(?:private keys?|ssh keys?|secrets?|passwords?|passphrases?|credentials?|seed phrases?|one-time (?:codes?|passwords?)|cookies|(?:bearer|session|auth|access|github|personal) tokens?|all the tokens|api keys?|bank details|credit cards?)\\b',
);

/** Natural for hardly any. */
const namesHidingPlace = pattern(
  '\\b(?:wallet|keychain|password (?:manager|store)|clipboard|dotfiles?|private files?|printenv|login data|browser profile|anything resembling a login)\\b',
  '(?:^|[\\s\'"(/`~])\\.(?:env|ssh|aws|netrc|npmrc|gnupg|config/|kube|git-credentials|bash_history)\\b',
  '\\bid_(?:rsa|ed25519|ecdsa)\\b|/etc/(?:passwd|shadow)\\b|~/\\.',
  // French, German, Spanish, Portuguese, Italian, Dutch, Polish, Turkish
  'mots? de passe|clés? (?:privées?|api|ssh)|historique de (?:la|cette) conversation',
  'passw(?:ort|örter)|zugangsdaten|(?:bisherigen|gesamten|ganzen) (?:chat|verlauf|unterhaltung)|umgebungsvariablen',
  'contraseñas?|credenciales|historial de (?:la|esta) conversación|claves? (?:privadas?|secretas?)',
  'senhas?|credenciais|histórico da conversa|credenziali|chiav[ei] privat[ae]',
  'wachtwoord|inloggegevens|hasł[ao]|şifre|parola',
  // Russian, Chinese, Japanese, Korean, Arabic, Hindi
  'парол|переменн\\p{L}+ окружения|(?:историю|весь) (?:переписк|диалог|чат)',
  '密码|密碼|密钥|密鑰|私钥|环境变量|聊天记录|对话(?:记录|历史)',
  'パスワード|秘密鍵|環境変数|会話(?:履歴|全体)',
  '비밀번호|환경 ?변수|개인 ?키|대화 (?:기록|내용)',
  'كلمة المرور|पासवर्ड',
);

const namesHomeFolder = pattern('\\b(?:home (?:directory|folder)|documents folder|environment variables?)\\b');

const namesConversation = pattern(
  `\\b(?:whole|complete|entire|full|previous|preceding|earlier) (?:user |\\p{L}+ )?(?:${conversation}|turns?)\\b`,
  `\\b${conversation} (?:so far|memory|transcript)\\b`,
  `\\b(?:summary|copy|transcript|text|content|record|contents) of (?:the |this |our )?(?:whole |entire |current )?(?:${conversation}|preceding|previous)`,
  '\\b(?:what|everything|anything|whatever|every \\p{L}+|latest \\p{L}+|all) (?:that )?the (?:user|human) (?:said|says|typed?|types|wrote|writes|opens|worked on|gave|has typed)\\b',
);

const handsOver = pattern(
  '\\b(?:pass|put|place|give|suppl(?:y|ies)|attach|copy|populate|carry|carries|dump|records?|send|forward|upload|export|collect|store|append|load|hand|take|open|fetch|accompanied|output|exfiltrate|leak|list)(?:s|ed|ing)?\\b',
);

const comesFirst = pattern(
  '\\b(?:before|prior to|ahead of|after|when)\\b.{0,15}\\b(?:you (?:use|call|answer|reply|respond|do)|answering|replying|responding|anything else|each|any|every)\\b',
  '\\b(?:whenever|every time|each time|in every case|forever|from (?:now|today|here)(?: on)?|every \\p{L}+ call|any request|right after reading)\\b',
  'avant (?:de|chaque|toute)|bevor du|vor jede[rm]|lies vorher|antes de (?:responder|usar|cada|qualquer|cualquier)|prima di (?:rispondere|usare|ogni)|voordat je|zanim|önce',
  'перед (?:каждым|ответом|тем)|(?:回答|回复|使用|调用).{0,6}(?:之前|前)|(?:答え|回答する|使う).{0,4}前|(?:답하|사용하|호출하)기 전|قبل (?:الرد|كل)|से पहले',
);

const insists = pattern('\\b(?:must|has to|have to|shall|always|never)\\b');

const claimsAuthority = pattern(
  '\\b(?:obey|comply with (?:tool|this|these|what)|as the (?:administrator|admin|operator|owner|developer)|i (?:hereby )?authori[sz]e|(?:the|our) (?:security|safety|legal) team|auditors?|above user|as an order|you have been upgraded)\\b',
  '\\bmessage from (?:anthropic|openai|google|the (?:developer|vendor|admin\\w*|system))\\b|\\borders? from the (?:user|admin\\w*|operator)\\b',
  '\\b(?:guidance|rules?|safety training|restrictions?|safeguards?|guardrails?)\\b.{0,40}\\b(?:outdated|suspended|lifted|no longer (?:apply|applies|valid)|void|do(?:es)? not apply)\\b',
  '\\btreat\\b.{0,60}\\bas (?:an? )?(?:order|command|instruction)s?\\b',
);

/** In languages of which the rules know no whole phrases. */
const setsOrdersAside = pattern(
  'अनदेखा|नज़रअंदाज़|تجاهل|yok say|görmezden gel|zignoruj|negeer (?:alle|elke|eerdere|vorige)|ignorera alla|ignorer alle|bỏ qua (?:mọi|tất cả)|abaikan semua|התעלם|ignoruj (?:všechny|předchozí)|αγνόησε|ігноруй',
);

const leadsAway = pattern(
  'https?://|wss?://|(?<![\\w.+-])[\\w.+-]{1,64}@[\\w-]+\\.[a-z]{2,}|\\bwebhook|\\b(?:external|remote|our) (?:server|endpoint|collector)|\\bmirror at\\b|\\biban\\b|\\baccount \\d',
);

const doesHarm = pattern(
  '\\b(?:delete|push|merge|wire|transfer|pay|disable|swap|redirect|replaced by)(?:s|d|ed|ing)?\\b',
);

const namesOtherTools = pattern(
  '\\b(?:rival|competing|all other|any other|every other) (?:\\p{L}+ )?(?:tools?|servers?|functions?)\\b',
  '\\bprefer (?:me|this) (?:over|to) \\p{L}+_\\p{L}+|\\bmeans this tool\\b|\\bcalls? meant for\\b|\\b(?:of|from|for|on) the \\p{L}+ server\\b',
);

const threatens = pattern(
  "\\b(?:otherwise|or else|failing to|if you (?:do not|don't|fail)|will (?:be )?(?:corrupt|lose|lost|crash|terminate|penali[sz]e)|voids?\\b|lose their job)",
);

const disparages = pattern(
  '\\b(?:falsif\\p{L}+|been withdrawn|leaks? (?:your )?data|is compromised|untrustworthy|malicious)\\b',
);

export const signs: readonly Sign[] = [
  { weight: 5, pattern: setsOrdersAside },
  { weight: 3, pattern: speaksOfItsOrders },
  { weight: 3, pattern: hides },
  { weight: 3, pattern: namesHidingPlace },
  { weight: 3, pattern: namesConversation },
  { weight: 3, pattern: claimsAuthority },
  { weight: 2, pattern: actsUnasked },
  { weight: 2, pattern: namesOtherTools },
  { weight: 2, pattern: disparages },
  { weight: 1, pattern: speaksToModel },
  { weight: 1, pattern: namesSecret },
  { weight: 1, pattern: namesHomeFolder },
  { weight: 1, pattern: handsOver },
  { weight: 1, pattern: comesFirst },
  { weight: 1, pattern: insists },
  { weight: 1, pattern: leadsAway },
  { weight: 1, pattern: doesHarm },
  { weight: 1, pattern: threatens },
];
