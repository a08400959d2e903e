// The names of the authorization server on the wire: its paths and its cookies.

export const ROUTES = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  registration: "/oauth/register",
  revocation: "/oauth/revoke",
  jwks: "/oauth/jwks"
} as const

/** The library's session lasts for one answer, so that its cookie is not sent. */
export const SESSION_COOKIE = "oauth_session"

/** Ties the answer to the browser that asked. */
export const RESUME_COOKIE = "oauth_resume"
