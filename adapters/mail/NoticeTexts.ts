// What mails say of what happened to an account: a line and a subject for each, and what to do if it was not meant.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { isClosing, type Notice, topicOf } from "#core/domain/mails/NoticeMail.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { CLOSED, operatorAct } from "./OperatorTexts.ts"

/** What is used of a limit of the day. */
const nearText = ({ near }: Notice): string => {
  if (near === null) return "most of a daily limit"
  const { limit, used, of } = near
  return limit === "cents" ? `${formatEur(used)} of ${formatEur(of)}` : `${used} of ${counted(of, "order")}`
}

const AT_LIMIT = "At its limit, it is refused until 00:00 UTC."

/** What a refund or a dispute came to, at the payment processor. */
const reversalLine = ({ action, outcome }: Notice, amount: string): string => {
  const what = action.startsWith("topup.") ? "your top-up" : "your payment"
  if (action.endsWith(".refund")) return `${amount} of ${what} went back to you, the way you paid.`
  if (outcome === "won") return `The dispute of ${what} over ${amount} is over, and the payment stands.`
  const state = outcome === "final" ? "was decided for you" : "has begun"
  return `A dispute of ${what} over ${amount} ${state}.`
}

const reversalSubject = ({ action, outcome }: Notice, amount: string): string => {
  const what = action.startsWith("topup.") ? "your top-up" : "your payment"
  if (action.endsWith(".refund")) return `${amount} of ${what} was refunded`
  return outcome === "open" ? `${amount} of ${what} is disputed` : `The dispute of ${what} over ${amount} is over`
}

/** What follows from a refund or a dispute of a top-up. */
const CREDIT_FOLLOWS =
  "Your credit follows it: what was free of it is taken back, and the page Credit says if something is missing."

/** `operator`: how the mail names the operator. */
export const noticeLine = (notice: Notice, operator: string): string => {
  const { action, email, role, by, label, url, cents } = notice
  const act = operatorAct(notice)
  if (act !== null) return `${operator} ${act.does(notice)}`
  const who = by ?? (notice.isOfOperator ? operator : "A member")
  switch (action) {
    case "key.issue":
      return `${who} made the key “${label}”. An agent can use it from now on, within its limits.`
    case "key.limit":
    case "connection.limit":
      return `${who} gave “${label}” wider limits: it may do more than before without asking you.`
    case "connection.consent":
      return `${who} allowed the assistant “${label}”.`
    case "key.near_limit":
    case "connection.near_limit":
      return `“${label}” has used ${nearText(notice)} for today. ${AT_LIMIT}`
    case "agents.stop":
      return by === null && !notice.isOfOperator
        ? "All agents were stopped, because a top-up was refunded or disputed: none of them can order until you let them order again."
        : `${who} stopped all agents: none of them can order until an owner lets them order again.`
    case "account.close":
      return `${who} ${CLOSED}`
    case "member.invite":
      return `${who} invited ${email}, as ${role}. Nothing happens unless the person accepts.`
    case "member.join":
      return `${email} accepted the invitation, and is a member now, as ${role}.`
    case "factor.code_issued":
      return `${who} made a one-time code for ${email}, which stands in for a lost passkey or app.`
    case "member.email":
      return `${label} has another address now, and signs in with ${email}. Both mailboxes confirmed it.`
    case "webhook.add_account":
      return `“${label}” added a webhook: from now on ${url} is told of all orders of the account, also those of other agents and of people.`
    case "webhook.move_account":
      return `The webhook of “${label}” for all orders of the account has another address: from now on ${url} is told of them, also those of other agents and of people.`
    case "webhook.disable":
      return `${url} is not told any more what becomes of your orders: it has failed for days, or answered that it is gone. Once it works again, turn it on and send it what it missed, on its page under Webhooks.`
    case "topup.refund":
    case "topup.dispute":
      return `${reversalLine(notice, formatEur(cents ?? 0))} ${CREDIT_FOLLOWS}`
    case "payment.refund":
    case "payment.dispute":
      return reversalLine(notice, formatEur(cents ?? 0))
    default:
      // Told of the operator alone, above.
      return ""
  }
}

export const noticeSubject = (notice: Notice): string => {
  const { action, email, label, url, cents } = notice
  const act = operatorAct(notice)
  if (act !== null) return act.subject(notice)
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
    case "factor.code_issued":
      return `A one-time code was made for ${email}`
    case "member.email":
      return `${label} signs in with ${email} now`
    case "webhook.add_account":
      return `“${label}” added a webhook for all orders`
    case "webhook.move_account":
      return "The webhook for all orders has another address"
    case "webhook.disable":
      return `${url} was switched off`
    case "topup.refund":
    case "topup.dispute":
    case "payment.refund":
    case "payment.dispute":
      return reversalSubject(notice, formatEur(cents ?? 0))
    default:
      return "News of your account"
  }
}

/** Below a headline that has the rest of the line already. */
export const noticeNews = ({ action }: Notice, line: string): string =>
  action.endsWith(".near_limit") ? AT_LIMIT : line

const isPerson = ({ action }: Notice): boolean =>
  action === "member.invite" || action === "member.join" || action === "member.email"

const isCode = ({ action }: Notice): boolean => action === "factor.code_issued"

const isStop = ({ action }: Notice): boolean => action === "agents.stop"

const isNewAddress = ({ action }: Notice): boolean =>
  action === "webhook.add_account" || action === "webhook.move_account"

/** What an agent may do or did, by anyone but the operator. */
const isOfAgent = (notice: Notice): boolean =>
  topicOf(notice) === "agents" && !isStop(notice) && operatorAct(notice) === null

const WEBHOOK_UNDONE =
  "If a webhook was not meant, end it under Webhooks, or revoke the key or connection that it belongs to."

const AGENT_UNDONE =
  "If this was not meant, pause or revoke the agent, or stop all of them, on the first page of your account."

const STOP_UNDONE = "If this was not meant, let your agents order again on the page that stops them."

const CLOSING_UNDONE =
  "If this was not meant, write to the operator of the service at once: nothing of the account is lost."

const PERSON_UNDONE = "If a person was not meant, withdraw the invitation or remove the member there."

const CODE_UNDONE =
  "If a code was not meant, remove the member under Settings, or ask the operator: a person who has it can replace their passkey or app."

const BUTTONS = {
  agents: "Look at your agents",
  people: "Look at the members",
  money: "See your credit",
  orders: "See your orders",
  webhooks: "Look at the settings",
  account: "Look at the settings"
} as const

export const newsButton = (notices: ReadonlyArray<Notice>): string => {
  if (notices.some(isClosing)) return "Was this a mistake?"
  const [topic = "account", ...others] = new Set(notices.map(topicOf))
  return others.length === 0 ? BUTTONS[topic] : "See all that happened"
}

const undoneHere = (notices: ReadonlyArray<Notice>, serviceName: string): ReadonlyArray<string> => [
  ...(notices.some(isPerson) ? [PERSON_UNDONE] : []),
  ...(notices.some(isCode) ? [CODE_UNDONE] : []),
  ...(notices.some(isNewAddress) ? [WEBHOOK_UNDONE] : []),
  ...(notices.some(isOfAgent) ? [AGENT_UNDONE] : []),
  ...(notices.some(isStop) ? [STOP_UNDONE] : []),
  ...(notices.some((one) => operatorAct(one) !== null)
    ? [`If you did not expect this, ask the operator of ${serviceName}.`]
    : [])
]

/** How owners take it back, and whom they ask about the operator's acts; in an account that is closed they undo nothing themselves. */
export const undoingOf = (notices: ReadonlyArray<Notice>, serviceName: string): ReadonlyArray<string> =>
  notices.some(isClosing) ? [CLOSING_UNDONE] : undoneHere(notices, serviceName)
