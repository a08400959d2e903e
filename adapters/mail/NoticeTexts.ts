// What mails say of what happened to an account: a line and a subject for each, and what to do if it was not meant.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { isClosing, isOfAgents, type Notice } from "#core/domain/mails/NoticeMail.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"

/** What is used of a limit of the day. */
const nearText = ({ near }: Notice): string => {
  if (near === null) return "most of a daily limit"
  const { limit, used, of } = near
  return limit === "cents" ? `${formatEur(used)} of ${formatEur(of)}` : `${used} of ${counted(of, "order")}`
}

export const noticeLine = (notice: Notice): string => {
  const { action, email, role, by, label, url } = notice
  switch (action) {
    case "key.issue":
      return `${by ?? "The operator"} made the key “${label}”. An agent can use it from now on, within its limits.`
    case "key.limit":
    case "connection.limit":
      return `${by ?? "The operator"} gave “${label}” wider limits: it may do more than before without asking you.`
    case "connection.consent":
      return `${by ?? "A member"} allowed the assistant “${label}”.`
    case "key.near_limit":
    case "connection.near_limit":
      return `“${label}” has used ${nearText(notice)} for today. At its limit, it is refused until 00:00 UTC.`
    case "agents.stop":
      return by === null
        ? "All agents were stopped, by the operator or because a top-up was refunded or disputed: none of them can order until you let them order again."
        : `${by} stopped all agents: none of them can order until an owner lets them order again.`
    case "account.close":
      return `${by ?? "The operator"} closed the account. Its keys, connections and sign-ins have ended; its invoices, orders and credit stay on record.`
    case "member.invite":
      return `${by ?? "The operator"} invited ${email}, as ${role}. Nothing happens unless the person accepts.`
    case "member.join":
      return `${email} accepted the invitation, and is a member now, as ${role}.`
    case "webhook.add_account":
      return `“${label}” added a webhook: from now on ${url} is told of all orders of the account, also those of other agents and of people.`
    case "webhook.move_account":
      return `The webhook of “${label}” for all orders of the account has another address: from now on ${url} is told of them, also those of other agents and of people.`
    case "webhook.disable":
      return `${url} is not told any more what becomes of your orders: it has failed for days, or answered that it is gone. Once it works again, turn it on and send it what it missed, on its page under Webhooks.`
  }
}

export const noticeSubject = (notice: Notice): string => {
  const { action, email, label, url } = notice
  switch (action) {
    case "key.issue":
      return `The key “${label}” was made`
    case "key.limit":
    case "connection.limit":
      return `“${label}” may do more than before`
    case "connection.consent":
      return `The assistant “${label}” was allowed`
    case "key.near_limit":
    case "connection.near_limit":
      return `“${label}” has used ${nearText(notice)} for today`
    case "agents.stop":
      return "All agents were stopped"
    case "account.close":
      return "Your account was closed"
    case "member.invite":
      return `${email} was invited to your account`
    case "member.join":
      return `${email} joined your account`
    case "webhook.add_account":
      return `“${label}” added a webhook for all orders`
    case "webhook.move_account":
      return "The webhook for all orders has another address"
    case "webhook.disable":
      return `${url} was switched off`
  }
}

const isOfPeople = ({ action }: Notice): boolean => action === "member.invite" || action === "member.join"

const isStop = ({ action }: Notice): boolean => action === "agents.stop"

const isNewAddress = ({ action }: Notice): boolean =>
  action === "webhook.add_account" || action === "webhook.move_account"

const WEBHOOK_UNDONE =
  "If a webhook was not meant, end it under Webhooks, or revoke the key or connection that it belongs to."

const AGENT_UNDONE =
  "If this was not meant, pause or revoke the agent, or stop all of them, on the first page of your account."

const STOP_UNDONE = "If this was not meant, let your agents order again on the page that stops them."

const CLOSING_UNDONE =
  "If this was not meant, write to the operator of the service at once: nothing of the account is lost."

const PERSON_UNDONE = "If a person was not meant, withdraw the invitation or remove the member there."

export const newsButton = (notices: ReadonlyArray<Notice>): string => {
  if (notices.some(isClosing)) return "Was this a mistake?"
  if (notices.every(isOfAgents)) return "Look at your agents"
  return notices.every(isOfPeople) ? "Look at the members" : "Look at the settings"
}

const undoneHere = (notices: ReadonlyArray<Notice>): ReadonlyArray<string> => [
  ...(notices.some(isOfPeople) ? [PERSON_UNDONE] : []),
  ...(notices.some(isNewAddress) ? [WEBHOOK_UNDONE] : []),
  ...(notices.some((one) => isOfAgents(one) && !isStop(one)) ? [AGENT_UNDONE] : []),
  ...(notices.some(isStop) ? [STOP_UNDONE] : [])
]

/** How owners take it back; in an account that is closed they undo nothing themselves. */
export const undoingOf = (notices: ReadonlyArray<Notice>): ReadonlyArray<string> =>
  notices.some(isClosing) ? [CLOSING_UNDONE] : undoneHere(notices)
