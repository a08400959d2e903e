// The mails that an owner may turn off.
export const CHOSEN_MAILS = ["approvals", "purchases", "receipts", "topUps", "links", "expiries"] as const
export type ChosenMail = (typeof CHOSEN_MAILS)[number]
