// Where a person consents to a connection, and where the browser continues from there: the authorization server sends it to the page of the
// member area, and the page sends it back.

/** The id of a request that waits for consent. */
const UID = "[A-Za-z0-9_-]{16,64}"

const CONSENT_PATH = new RegExp(`^/account/consent/${UID}$`)

export const consentPath = (uid: string): string => `/account/consent/${uid}`

/** Whether a text from outside is the path of such a page, and nothing else. */
export const isConsentPath = (path: string): boolean => CONSENT_PATH.test(path)

/** Back to the authorization server, which answers the client. */
export const resumePath = (uid: string): string => `/oauth/authorize/${uid}`

/** The cookie that ties a request to the browser that began it: its value is the request's id, and its path the page's. */
export const CONSENT_COOKIE = "consent"
