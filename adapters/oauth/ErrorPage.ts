// What a person sees when a request for authorization cannot be answered to its client.
import { columnPage, PAGE_HEADERS } from "#adapters/html/Document.ts"
import { html } from "#adapters/html/Html.ts"
import type { Imprint } from "#adapters/html/Imprint.ts"

const SAYS: Readonly<Record<string, string>> = {
  invalid_client: "This service does not know the application that sent you. Let it connect again.",
  invalid_redirect_uri: "The application asked to be answered at an address that it has not registered.",
  server_error: "Something went wrong on our side. Please try again in a moment.",
  temporarily_unavailable: "The service cannot answer at this moment. Please try again soon."
}

const OTHERWISE =
  "The request has expired, or is not one that this service can answer. Begin again in your application."

export const ERROR_PAGE_HEADERS = PAGE_HEADERS

/** Whose page it is. */
export interface OfService {
  readonly serviceName: string
  readonly imprint: Imprint
}

/** The description is the library's own, and repeats no token. */
export const errorPage = (
  error: string,
  description: string | undefined,
  { serviceName, imprint }: OfService
): string =>
  columnPage(
    { title: "Not connected", serviceName, imprint },
    html`<h1>Not connected</h1>
<p>${SAYS[error] ?? OTHERWISE}</p>
<p class="hint">${error}${description === undefined ? "" : `: ${description}`}</p>`
  )
