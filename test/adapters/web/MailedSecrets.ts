// What the mails to a person bring: links, and codes.
import { setTimeout } from "node:timers/promises"
import type { Effect } from "effect"
import { readable, type smtpServer } from "#test/adapters/mail/SmtpServer.ts"

type Mailbox = Effect.Success<typeof smtpServer>

const mailsTo = ({ received }: Mailbox, email: string): ReadonlyArray<string> =>
  received.filter(({ recipients }) => recipients.includes(email)).map(readable)

/** The link in the mail with one that comes after this many to the address. */
export const mailedLink = async (mailbox: Mailbox, email: string, before = 0): Promise<string> => {
  const links = () =>
    mailsTo(mailbox, email).flatMap((mail) => /(http:\S+\/account\/[\w-]+\?token=[\w-]+)/.exec(mail)?.[1] ?? [])
  while (links().length <= before) await setTimeout(5)
  return links().at(-1) ?? ""
}

/** The code in the last of them, as it is read there. */
export const mailedCode = (mailbox: Mailbox, email: string): string =>
  mailsTo(mailbox, email)
    .flatMap((mail) => /^(\d{3} \d{3})\r?$/m.exec(mail)?.[1] ?? [])
    .at(-1) ?? ""
