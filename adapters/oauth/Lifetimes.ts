// How long what the authorization server issues is good for, in seconds unless the name says otherwise.

export const ACCESS_TOKEN_TTL = 3_600
export const REFRESH_TOKEN_TTL = 30 * 86_400
export const CODE_TTL = 60
/** Long enough for a sign-in by mail on the way. */
export const INTERACTION_TTL = 3_600
/** Only until the answer is sent. */
export const SESSION_TTL = 600

export const GRANT_TTL_MS = REFRESH_TOKEN_TTL * 1_000

/** In the payload of a grant: its real life is that of what is issued under it. */
export const GRANT_TTL = 100 * 365 * 86_400
