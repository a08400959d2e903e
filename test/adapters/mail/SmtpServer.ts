// A real SMTP server in this process, which keeps what it takes.
import { Effect } from "effect"
import { SMTPServer } from "smtp-server"

export interface ReceivedMail {
  readonly recipients: ReadonlyArray<string>
  readonly source: string
}

/** Takes mails until the scope ends; refuses recipients whose address begins with `full`, and all while `isFull`. */
export const smtpServer = Effect.acquireRelease(
  Effect.callback<{
    readonly port: number
    readonly received: Array<ReceivedMail>
    readonly refuse: (all: boolean) => void
    readonly close: () => void
  }>((resume) => {
    const received: Array<ReceivedMail> = []
    let refusesAll = false
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onRcptTo: ({ address }, _session, done) =>
        done(refusesAll || address.startsWith("full") ? new Error("mailbox full") : null),
      onData: (stream, session, done) => {
        const chunks: Array<Buffer> = []
        stream.on("data", (chunk: Buffer) => chunks.push(chunk))
        stream.on("end", () => {
          const recipients = session.envelope.rcptTo.map(({ address }) => address)
          received.push({ recipients, source: Buffer.concat(chunks).toString() })
          done()
        })
      }
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const refuse = (all: boolean) => {
        refusesAll = all
      }
      resume(Effect.succeed({ port, received, refuse, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

/** The text of a mail whose lines were folded and encoded for transport. */
export const readable = ({ source }: ReceivedMail): string => source.replaceAll("=\r\n", "").replaceAll("=3D", "=")
