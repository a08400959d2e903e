// A page as data: where it is, who may ask for it, its place in the navigation, and what it answers. The test of access goes over all
// of them.
import { Context, Effect, type Redacted, type Stream } from "effect"
import type { HttpRouter } from "effect/http"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { Html } from "#adapters/html/Html.ts"
import type { Asks } from "#core/domain/members/Confirmation.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import type { NewSession } from "#core/usecases/members/MemberSessions.ts"
import type { Refused } from "./form/Fields.ts"
import type { HelpTopic } from "./help/HelpTopics.ts"
import type { HelpSettings } from "./help/Questions.ts"

/**
 * `anyone`: also without a session. `member`: all who are signed in. `viewer`: viewers and owners, and reviewers as far as they only look.
 * `reviewer`: reviewers, in their sandbox, and owners.
 */
export type Audience = "anyone" | "member" | "viewer" | "reviewer" | "owner"

export interface PageRoute {
  readonly method: "GET" | "POST"
  readonly path: HttpRouter.PathInput
  readonly may: Audience
  /** What it asks for where the account has a second factor. Pages ask nothing: a session by mail may look. */
  readonly asks: Asks
  /** The same form sent again does nothing twice, and answers as it did. */
  readonly repeats?: true
  /** Its form may bear a file, or what such a form bore. */
  readonly uploads?: true
  /** The fields of its form that a person fills in. */
  readonly typed?: ReadonlyArray<string>
}

/** The entry of the navigation that a page belongs to. */
export type Section =
  | "Overview"
  | "Shop"
  | "Cart"
  | "Orders"
  | "To pay"
  | "Approvals"
  | "Activity"
  | "Keys"
  | "Connections"
  | "Webhooks"
  | "Credit"
  | "Invoices"
  | "Settings"

interface Titles {
  readonly title: string
  /** The title unless said otherwise. */
  readonly heading?: string
  /** Left out outside the navigation. */
  readonly section?: Section | undefined
  /** The pages between its section and it. */
  readonly above?: ReadonlyArray<readonly [name: string, path: string]>
  /** It has the button that stops all agents itself. */
  readonly stops?: boolean
  /** What people ask here; the topic of its section unless said otherwise, and `null` where no answer fits. */
  readonly help?: HelpTopic | null
}

/** How many orders wait for an approval, and how many for a payment: each is counted once. */
export interface Waits {
  readonly approvals: number
  readonly payments: number
}

export interface PageReply extends Titles {
  readonly _tag: "Page"
  readonly status: number
  /** What is below the heading. */
  readonly body: Html
  readonly head?: Html
  /** The form on it that was refused: the page says so first. */
  readonly refused?: Refused | null
  /** The page to come back to once signed in. */
  readonly next?: string | null
  /** What it has read of what waits, so that the navigation beside it says the same. */
  readonly waiting?: Waits
}

/** The answer to every form that took effect: the next page, which a reload does not repeat. */
export interface SeeOther {
  readonly _tag: "SeeOther"
  readonly to: string
  /** What was done, shown once on the next page. */
  readonly done?: string
  /** A new session, or the end of the present one. */
  readonly session?: Redacted.Redacted<string> | null
  /** Who signs in: from now on, the browser is known as one of theirs. */
  readonly member?: Member
  /** The page to come back to once signed in; `null` takes it off. */
  readonly next?: string | null
  /** What the browser keeps of its request for a sign-in mail, see `SignInCodes`. */
  readonly asked?: string
}

export type Reply =
  | PageReply
  | SeeOther
  /** For a script of the service. */
  | { readonly _tag: "Json"; readonly text: string }
  | {
      readonly _tag: "File"
      readonly name: string
      readonly contentType: string
      /** A list is sent as it is read; a document is there as a whole. */
      readonly content: Stream.Stream<string, Failure> | Uint8Array
    }

/**
 * What a form or a button answers once it took effect. A page in this place would do it again when it is reloaded; one with a status of these
 * says that nothing can be done.
 */
export type Answer = Exclude<Reply, PageReply> | (PageReply & { readonly status: 409 | 410 | 429 })

export type WhoOf<May extends Audience> = May extends "anyone" ? SignedIn | null : SignedIn

export interface Visit<Who> {
  readonly who: Who
  /** The path that was asked for, without the query. */
  readonly path: string
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
  /** Fields of a form; empty otherwise. */
  readonly form: URLSearchParams
  /** Where the request comes from, as `networkOf` writes it. */
  readonly network: string
  readonly userAgent: string
  /** What the browser keeps of earlier sign-ins, see `KnownDevices`. */
  readonly devices: string
  /** What the browser keeps of its request for a sign-in mail, see `SignInCodes`; empty without one. */
  readonly asked: string
  /** The request for consent that this browser began; empty without one. */
  readonly consentId: string
  /** The form that was refused, for the page that shows it again. */
  readonly refused: Refused | null
  /** The page that this browser was on its way to when it was sent to sign in. */
  readonly next: string | null
}

/** `R`: the use cases that it asks. A failure that it leaves is shown with the wording of the contract's table. */
export interface Page<R = never> extends PageRoute {
  readonly answer: (visit: Visit<SignedIn>) => Effect.Effect<Reply, Failure, R>
}

/** A page that shows something, such as a form. */
export interface ShownPage<R = never> extends Page<R> {
  readonly section: Section | undefined
}

/** What a page, a form or a button does, step by step. */
export type Steps<Step, Answer = Reply> = Generator<Step, Answer, never>

type Step = Effect.Effect<unknown, Failure, unknown>

/** `answer`: what is below the heading, or another reply. */
export const page = <May extends Audience, S extends Step = never>(
  may: May,
  path: HttpRouter.PathInput,
  titles: Titles | Pick<Titles, "section" | "help">,
  answer: (visit: Visit<WhoOf<May>>) => Steps<S, Html | Reply>
): ShownPage<Effect.Services<S>> => {
  const { section, help } = titles
  const reply = (shown: Html | Reply): Reply => {
    if (shown instanceof Html) return { _tag: "Page", status: 200, title: section ?? "", ...titles, body: shown }
    return shown._tag === "Page" ? { section, ...(help === undefined ? {} : { help }), ...shown } : shown
  }
  const run = (visit: Visit<WhoOf<May>>) =>
    Effect.map(
      Effect.gen(() => answer(visit)),
      reply
    )
  // The router refuses visitors without a session before, except on pages for anyone, and gives each page what it asks.
  return { method: "GET", may, path, asks: "nothing", section, answer: run } as never
}

const answering = <May extends Audience, S extends Step, Answer extends Reply>(
  route: PageRoute & { readonly may: May },
  answer: (visit: Visit<WhoOf<May>>) => Steps<S, Answer>
): Page<Effect.Services<S>> =>
  // The router gives it what it asks, as above.
  ({ ...route, answer: (visit: Visit<WhoOf<May>>) => Effect.gen(() => answer(visit)) }) as never

/**
 * The target of a button; `submit` makes that of a form with fields. What is not said to ask nothing asks for a confirmed session, unless it
 * is for anyone.
 */
export const action = <May extends Audience, S extends Step = never>(
  may: May,
  path: HttpRouter.PathInput,
  answer: (visit: Visit<WhoOf<May>>) => Steps<S, Answer>,
  asks: Asks = may === "anyone" ? "nothing" : "session"
): Page<Effect.Services<S>> => answering({ method: "POST", may, path, asks }, answer)

/** A form with an id, by which it does nothing twice. */
export const repeatable = <R>(target: Page<R>): Page<R> => ({ ...target, repeats: true })

/** Takes a form that bears a file. */
export const uploading = <R>(target: Page<R>): Page<R> => ({ ...target, uploads: true })

export const download = <May extends Audience, S extends Step = never>(
  may: May,
  path: HttpRouter.PathInput,
  answer: (visit: Visit<WhoOf<May>>) => Steps<S>
): Page<Effect.Services<S>> => answering({ method: "GET", may, path, asks: "nothing" }, answer)

/** A page whose title depends on what it shows, or that says how a form went. */
export const titled = <const Status extends number = 200>(
  title: string,
  body: Html,
  options: Partial<Omit<PageReply, "title" | "body" | "status">> & { readonly status?: Status } = {}
): PageReply & { readonly status: Status } =>
  // The default of the type is that of the value.
  ({ _tag: "Page", status: 200, title, body, ...options }) as never

export const seeOther = (to: string, done?: string): SeeOther => ({
  _tag: "SeeOther",
  to,
  ...(done === undefined ? {} : { done })
})

export const json = (text: string): Answer => ({ _tag: "Json", text })

/** After a sign-in: on to the page that was asked for, or to the overview. */
export const welcome = (
  { next }: Pick<Visit<unknown>, "next">,
  { token: session, signedIn: { member } }: NewSession,
  done: string
): SeeOther => ({ ...seeOther(next ?? "/account", done), session, member, ...(next === null ? {} : { next: null }) })

/** The books of an account that its pages show; orders of the sandbox have their own filter. */
export const liveOf = ({ accountId }: { readonly accountId: AccountId }) => ({ accountId, mode: "live" as const })

/** What pages know of the service. */
export class WebSettings extends Context.Service<
  WebSettings,
  {
    /** Where people and agents reach the service. */
    readonly publicUrl: string
  } & HelpSettings
>()("backlinks/adapters/web/WebSettings") {}
