/**
 * Credentials that their issuers made to be recognised, by prefix and length. Only forms that nothing else has: a mask in
 * the middle of a usual text helps nobody.
 */
const formats = [
  // toolcrib
  'tcr_[0-9a-f]{16}_[\\w-]{43}',
  // GitHub, GitLab, npm, PyPI, Hugging Face
  'gh[pousr]_[A-Za-z0-9]{36,255}',
  'github_pat_\\w{22,255}',
  'glpat-[\\w-]{20,100}',
  'npm_[A-Za-z0-9]{36}',
  'pypi-[\\w-]{50,500}',
  'hf_[A-Za-z0-9]{30,100}',
  // OpenAI, Anthropic and those that follow them
  'sk-[A-Za-z0-9]{20,255}',
  'sk-(?:ant|proj|svcacct|admin|or)-[\\w-]{20,255}',
  // AWS, Google, Azure
  'A(?:KIA|SIA)[A-Z0-9]{16}',
  'AIza[\\w-]{35}',
  'ya29\\.[\\w-]{20,500}',
  'AccountKey=[A-Za-z0-9+/]{40,100}={0,2}',
  // Slack, Stripe, SendGrid, DigitalOcean, Linear, Notion, Shopify
  'xox[abeoprs]-[\\w-]{10,255}',
  'xapp-[\\w-]{20,255}',
  '[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}',
  'whsec_[A-Za-z0-9+/]{20,255}',
  'SG\\.[\\w-]{16,64}\\.[\\w-]{16,64}',
  'do[opr]_v1_[0-9a-f]{64}',
  'lin_api_[A-Za-z0-9]{32,100}',
  'ntn_[A-Za-z0-9]{40,100}',
  'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}',
  // RFC 7519, RFC 6750
  'eyJ[\\w-]{8,4000}\\.[\\w-]{8,8000}\\.[\\w-]{0,2000}',
  '(?<=[Bb]earer\\s{1,4})[\\w.~+/-]{16,4000}={0,2}',
];

/** RFC 7468. */
const privateKey = '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?';
/** The password in `scheme://user:password@host`. */
const urlPassword = '(?<=:\\/\\/[^\\s/:@]{0,64}:)[^\\s/:@]{1,200}(?=@)';

/** Any of them, wherever it stands. */
export const credentialPattern = new RegExp(
  `(?<![A-Za-z0-9_])(?:${formats.join('|')})|${privateKey}|${urlPassword}`,
  'g',
);

/** Names of arguments whose value is a secret whatever it looks like. */
const secretName =
  /(passw(or)?d|passphrase|secret|api_?-?key|access_?-?key|private_?-?key|authorization|credential|(^|[^x])[-_]?token)$/i;

export function namesSecret(name: string): boolean {
  return secretName.test(name);
}
