/** How a user logs in to one server. */
export interface LoginOptions {
  /** Is given the URL at which the user consents, to show or open it. Called again when the server asks for more scopes. */
  onAuthorizationUrl(url: string): void;
  /** Milliseconds within which the user has to be done, each time. Default 300 000. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** What a login brought. */
export interface LoginReport {
  server: string;
  /** The authorization server. */
  issuer: string;
  /** Scopes, separated by spaces, where the authorization server names them. */
  scope?: string;
  /** ISO 8601; when the access token ends. */
  expiresAt?: string;
  /** True when the login is renewed without the user. */
  isRenewable: boolean;
  /** Callable tools that the server then listed; absent when the list failed. */
  tools?: number;
  /** Why the list failed. */
  problem?: string;
}

export interface LogoutReport {
  server: string;
  /** False when there was nothing to delete. */
  wasLoggedIn: boolean;
  /** True when the authorization server was told to forget the tokens and agreed. */
  isRevoked: boolean;
}
