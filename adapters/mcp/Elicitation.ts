// URL elicitation: a client of revision 2026-07-28 that can open a URL for its user is given one in place of a result. It calls the
// tool again once the user has seen the page, and then gets the result as it is by then.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type ServerContext
} from "@modelcontextprotocol/server"
import { Predicate } from "effect"

/** The first revision whose results can require input. */
const SINCE = "2026-07-28"

/** What the user is asked for. */
export interface Question {
  /** What the page is for. */
  readonly message: string
  readonly url: string
  /** What the repeated call continues with. It comes back through the client, so that it must not grant anything. */
  readonly state: string
}

/** Whether the client opens URLs for its user, `version` being the revision of the connection. */
const opensUrls = ({ mcpReq }: ServerContext, version = ""): boolean => {
  const { envelope } = mcpReq
  return (
    version >= SINCE &&
    Predicate.hasProperty(envelope, CLIENT_CAPABILITIES_META_KEY) &&
    Predicate.hasProperty(envelope[CLIENT_CAPABILITIES_META_KEY], "elicitation") &&
    Predicate.hasProperty(envelope[CLIENT_CAPABILITIES_META_KEY].elicitation, "url")
  )
}

/** Whether the call repeats one that was answered by a question. Whatever the user did with it, the question is not asked again. */
const isAnswered = ({ mcpReq }: ServerContext): boolean =>
  mcpReq.inputResponses !== undefined || mcpReq.requestState() !== undefined

export const mayAsk = (context: ServerContext, version: string | undefined): boolean =>
  opensUrls(context, version) && !isAnswered(context)

/** The state of a question that the call continues with. */
export const stateOf = ({ mcpReq }: ServerContext): string | undefined => {
  const state: unknown = mcpReq.requestState()
  return typeof state === "string" ? state : undefined
}

export const ask = ({ message, url, state }: Question): InputRequiredResult =>
  inputRequired({ inputRequests: { approval: inputRequired.elicitUrl({ message, url }) }, requestState: state })
