// Background jobs of a running service: the quote sweep, invoices, retention, webhook delivery, a check of the webhook signing keys at the start,
// and sealing them again. They end once the instance drains.
import { type Duration, Effect, Layer, Option, Schedule } from "effect"
import type { Settings } from "#adapters/config/Settings.ts"
import { countFreed } from "#adapters/observability/RetentionMetrics.ts"
import { CHOSEN_MAILS } from "#core/domain/mails/ChosenMail.ts"
import type { RetentionSpans } from "#core/domain/operations/Retention.ts"
import { EndExpiredKeys } from "#core/usecases/access/EndExpiredKeys.ts"
import { HandOverInvoices } from "#core/usecases/invoicing/HandOverInvoices.ts"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import { MailOwners } from "#core/usecases/mails/MailOwners.ts"
import { MailInvitations } from "#core/usecases/members/MailInvitations.ts"
import { FreeFinished } from "#core/usecases/operations/FreeFinished.ts"
import { Draining } from "#core/usecases/ordering/Draining.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { NoteRefusals, WRITE_EVERY } from "#core/usecases/shared/NoteRefusals.ts"
import { FollowTopUps } from "#core/usecases/wallet/FollowTopUps.ts"
import { OpenTopUps } from "#core/usecases/wallet/OpenTopUps.ts"
import { CheckSigningKeys } from "#core/usecases/webhooks/CheckSigningKeys.ts"
import { DeliverEvents } from "#core/usecases/webhooks/DeliverEvents.ts"
import { ResealSigningKeys } from "#core/usecases/webhooks/ResealSigningKeys.ts"

/** Runs a job until the instance drains, or the service stops. */
const startJob = <E, R>(job: Effect.Effect<unknown, E, R>) =>
  Effect.flatMap(Draining, ({ untilDrained }) => Effect.forkScoped(untilDrained(job)))

/** Runs passes of a job, a pause apart. A pass that fails is logged as `failure`: an unavailable store may be back at the next one. */
const repeatPass = <E, R>(pass: Effect.Effect<unknown, E, R>, pause: Duration.Input, failure: string) =>
  startJob(
    Effect.repeat(
      Effect.catchCause(pass, (cause) => Effect.logWarning(failure, cause)),
      Schedule.spaced(pause)
    )
  )

const watchForNewerSchema = Effect.gen(function* () {
  const { watch } = yield* Draining
  const drained = Effect.flatMap(watch, ({ step }) =>
    Effect.logWarning(
      "A newer version of the service has migrated the database: this instance takes no orders and runs no jobs any more. Stop it.",
      { newer_step: step }
    )
  )
  yield* Effect.forkScoped(drained)
})

/** Expires and finishes quotes at every interval. */
const sweepQuotes = (interval: Duration.Duration) =>
  Effect.gen(function* () {
    const { sweep } = yield* SweepQuotes
    const pass = Effect.tap(sweep(), ({ expired, resumed }) =>
      expired + resumed === 0 ? Effect.void : Effect.logInfo("quotes swept", { expired, resumed })
    )
    yield* repeatPass(pass, interval, "the sweep failed and runs again after its interval")
  })

/** Ends top-ups that were not paid in time, and opens payment pages that are missing, at every interval of the quote sweep. */
const sweepTopUps = (interval: Duration.Duration) =>
  Effect.gen(function* () {
    const ended = yield* FollowTopUps
    const opened = yield* OpenTopUps
    yield* repeatPass(ended.sweep, interval, "top-ups were not swept")
    yield* repeatPass(opened.sweep, interval, "payment pages of top-ups were not opened")
  })

const INVOICE_INTERVAL = "5 seconds"

/** An hour of passes. The first one and every later hour look for what was committed unusually late. */
const PASSES_UNTIL_AGAIN = 720

/** Issues documents at every interval, on every instance: one at a time works, the others find nothing left. */
const issueInvoices = Effect.gen(function* () {
  const { pass } = yield* IssueInvoices
  let passes = 0
  const logged = Effect.suspend(() => pass(passes++ % PASSES_UNTIL_AGAIN === 0)).pipe(
    Effect.tap((issued) => (issued === 0 ? Effect.void : Effect.logDebug("invoices issued", { issued })))
  )
  yield* repeatPass(logged, INVOICE_INTERVAL, "issuing invoices failed and runs again after its interval")
})

/** Tells owners what they want to know of orders and money, and what happened to their account. */
const mailOwners = Effect.flatMap(MailOwners, (mails) =>
  Effect.all([startJob(mails.notices.run), ...CHOSEN_MAILS.map((kind) => startJob(mails[kind].run))])
)

/** Sends invitations to people who are asked to join an account. */
const mailInvitations = Effect.flatMap(MailInvitations, ({ run }) => startJob(run))

const handOverInvoices = Effect.flatMap(HandOverInvoices, ({ isOn, run }) => (isOn ? startJob(run) : Effect.void))

const RETENTION_INTERVAL = "1 hour"

/** Frees finished records at every interval, on every instance: one at a time works, the others find nothing left. */
const freeFinished = (spans: RetentionSpans) =>
  Effect.gen(function* () {
    const { pass } = yield* FreeFinished
    const counted = Effect.tap(pass(spans), (freed) =>
      Object.keys(freed).length === 0
        ? Effect.void
        : Effect.andThen(countFreed(freed), Effect.logInfo("finished records freed", freed))
    )
    yield* repeatPass(counted, RETENTION_INTERVAL, "retention failed and runs again after its interval")
  })

const SECRETS_INTERVAL = "1 minute"

/** Secrets that were answered are kept for the time in which the answer may have been lost, and no longer. */
const forgetSecrets = Effect.flatMap(FreeFinished, ({ forgetSecrets: pass }) =>
  repeatPass(pass, SECRETS_INTERVAL, "answered secrets were not forgotten, and are after the interval")
)

const EXPIRY_INTERVAL = "5 seconds"

/** An expired key is refused at once, and its place is free; what ends with it follows. */
const endExpiredKeys = Effect.flatMap(EndExpiredKeys, ({ pass }) =>
  repeatPass(pass, EXPIRY_INTERVAL, "expired keys were not ended, and are after the interval")
)

/** Owners see what was refused to their agents a little later; no order waits for it. */
const noteRefusals = Effect.flatMap(NoteRefusals, ({ write }) =>
  repeatPass(write, WRITE_EVERY, "refused attempts were not written, and are after the interval")
)

const deliverEvents = Effect.flatMap(DeliverEvents, ({ run }) => startJob(run))

const ADVICE = [
  "ENCRYPTION_KEY is not the key that encrypted the signing keys of webhooks: deliveries cannot be signed, and wait.",
  "Set it to the earlier key and start again; STORE=embedded without the setting keeps its own in DATA_DIR/encryption.key.",
  "If that key is lost, have the owners delete these webhooks and create new ones."
].join(" ")

const RESEALED =
  "every signing key of webhooks, and every secret of an app, is sealed under ENCRYPTION_KEY: once all instances run with it, remove ENCRYPTION_KEY_PREVIOUS"

/**
 * Logs an error at the start if the configured key does not open the signing keys of webhooks, as after a restore under another key.
 * The start continues: orders need no webhook, deliveries wait for the right key, and owners need a running service to replace a
 * webhook whose key is lost.
 */
const checkSigningKeys = Effect.gen(function* () {
  const { unsignable } = yield* CheckSigningKeys
  const found = yield* unsignable()
  if (found !== null) yield* Effect.logError(ADVICE, { looked_at: found.webhookId })
}).pipe(
  // The readiness probe reports an unavailable store.
  Effect.catchTag("StoreUnavailable", () => Effect.logWarning("the signing keys of webhooks were not checked"))
)

const RESEAL_INTERVAL = "1 minute"

/**
 * Seals signing keys again once after the start, and at every interval while there is a previous encryption key: until every instance
 * has the new one, others still seal under the previous one.
 */
const resealSigningKeys = (hasPrevious: boolean) =>
  Effect.gen(function* () {
    const { pass } = yield* ResealSigningKeys
    let isDone = false
    const logged = pass().pipe(
      Effect.tap(({ resealed, unopened }) => {
        if (resealed > 0) isDone = false
        if (unopened > 0) {
          isDone = false
          return Effect.logWarning(
            "signing keys of webhooks or secrets of apps could not be opened, and are not sealed again",
            {
              unopened
            }
          )
        }
        if (isDone || !hasPrevious)
          return resealed === 0 ? Effect.void : Effect.logInfo("signing keys sealed again", { resealed })
        isDone = true
        return Effect.logInfo(RESEALED, { resealed })
      }),
      Effect.catchCause((cause) => Effect.logWarning("sealing signing keys again failed", cause))
    )
    yield* startJob(hasPrevious ? Effect.repeat(logged, Schedule.spaced(RESEAL_INTERVAL)) : logged)
  })

export const layer = ({
  sweepInterval,
  retention,
  encryptionKeyPrevious,
  members
}: Pick<Settings, "sweepInterval" | "retention" | "encryptionKeyPrevious" | "members">) =>
  Layer.mergeAll(
    Layer.effectDiscard(watchForNewerSchema),
    Layer.effectDiscard(freeFinished(retention)),
    Layer.effectDiscard(forgetSecrets),
    Layer.effectDiscard(endExpiredKeys),
    Layer.effectDiscard(noteRefusals),
    Layer.effectDiscard(issueInvoices),
    Layer.effectDiscard(handOverInvoices),
    // A mail leads to a page of the member area, which does not exist where that is off.
    members.on ? Layer.effectDiscard(Effect.andThen(mailOwners, mailInvitations)) : Layer.empty,
    Layer.effectDiscard(sweepTopUps(sweepInterval)),
    Layer.effectDiscard(sweepQuotes(sweepInterval)),
    Layer.effectDiscard(deliverEvents),
    Layer.effectDiscard(checkSigningKeys),
    Layer.effectDiscard(resealSigningKeys(Option.isSome(encryptionKeyPrevious)))
  )
