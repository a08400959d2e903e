// Where a person consents to a connection, and where the browser continues from there: the authorization server sends it to the page of the
// member area, and the page sends it back. Both know the browser by its cookies.

/** The id of a request that waits for consent, as a pattern. */
export const CONSENT_ID = "[A-Za-z0-9_-]{16,64}"

export const consentPath = (uid: string): string => `/account/consent/${uid}`

/** Back to the authorization server, which answers the client. */
export const resumePath = (uid: string): string => `/oauth/authorize/${uid}`

/** The cookie that ties a request to the browser that began it: its value is the request's id, and its path the page's. */
export const CONSENT_COOKIE = "consent"

/** Keeps other hosts of the same domain from setting a cookie; browsers accept it over https alone. */
export const cookiePrefix = (publicUrl: string): string => (publicUrl.startsWith("https:") ? "__Host-" : "")

/** The cookie with the marks of members who signed in from this browser before. */
export const devicesCookie = (publicUrl: string): string => `${cookiePrefix(publicUrl)}devices`
