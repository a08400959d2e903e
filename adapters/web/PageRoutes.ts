// The routes of pages as data, and the handlers of each. Who may use a route is part of it, so that the test of access covers them all.
import type { Effect, Redacted, Stream } from "effect"
import type { HttpRouter } from "effect/http"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import type { Html } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import type { NewSession } from "#core/usecases/members/MemberSessions.ts"
import type { Refused } from "./form/Fields.ts"

/**
 * `anyone`: also without a session. `member`: all who are signed in. `viewer`: viewers and owners, and reviewers as far as they only look.
 * `reviewer`: reviewers, in their sandbox, and owners.
 */
export type Audience = "anyone" | "member" | "viewer" | "reviewer" | "owner"

export interface PageRoute {
  readonly method: "GET" | "POST"
  readonly path: HttpRouter.PathInput
  readonly may: Audience
}

export const page = <const May extends Audience>(may: May, path: HttpRouter.PathInput) => ({
  method: "GET" as const,
  path,
  may
})

/** The target of a form. */
export const action = <const May extends Audience>(may: May, path: HttpRouter.PathInput) => ({
  method: "POST" as const,
  path,
  may
})

/** The entry of the navigation that a page belongs to. */
export type Section =
  | "Overview"
  | "Orders"
  | "Shop"
  | "Keys"
  | "Connections"
  | "Credit"
  | "Invoices"
  | "Webhooks"
  | "Settings"

export type Reply =
  | {
      readonly _tag: "Page"
      readonly status: number
      readonly title: string
      readonly body: Html
      readonly section?: Section
      readonly head?: Html
    }
  /** The answer to every form that took effect: the next page, which a reload does not repeat. */
  | {
      readonly _tag: "SeeOther"
      readonly to: string
      /** What was done, shown once on the next page. */
      readonly done?: string
      /** A new session, or the end of the present one. */
      readonly session?: Redacted.Redacted<string> | null
      /** The page to come back to once signed in; `null` takes it off. */
      readonly next?: string | null
    }
  /** For a script of the service. */
  | { readonly _tag: "Json"; readonly text: string }
  | {
      readonly _tag: "File"
      readonly name: string
      readonly contentType: string
      /** A list is sent as it is read; a document is there as a whole. */
      readonly content: Stream.Stream<string, Failure> | Uint8Array
    }

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
  /** The request for consent that this browser began; empty without one. */
  readonly consentId: string
  /** The form that was refused, for the page that shows it again. */
  readonly refused: Refused | null
  /** The page that this browser was on its way to when it was sent to sign in. */
  readonly next: string | null
}

type WhoOf<Route extends PageRoute> = Route["may"] extends "anyone" ? SignedIn | null : SignedIn

/** A failure that has no page is shown with the wording of the contract's table. */
export type Handler<Route extends PageRoute> = (visit: Visit<WhoOf<Route>>) => Effect.Effect<Reply, Failure>

/** A missing handler does not compile. */
export type Handlers<Routes extends Readonly<Record<string, PageRoute>>> = {
  readonly [Name in keyof Routes]: Handler<Routes[Name]>
}

export const show = (
  section: Section,
  title: string,
  body: Html,
  options: { readonly status?: number; readonly head?: Html } = {}
): Reply => ({ _tag: "Page", status: 200, section, title, body, ...options })

export const seeOther = (to: string, done?: string): Extract<Reply, { _tag: "SeeOther" }> => ({
  _tag: "SeeOther",
  to,
  ...(done === undefined ? {} : { done })
})

/** A page outside the navigation. */
export const plain = (
  title: string,
  body: Html,
  options: { readonly status?: number; readonly head?: Html } = {}
): Reply => ({
  ...{ _tag: "Page", status: 200, title, body },
  ...options
})

/** The books of an account that its pages show: what is of the sandbox is shown as such where it is. */
export const liveOf = ({ accountId }: { readonly accountId: AccountId }) => ({ accountId, mode: "live" as const })

/** After a sign-in: on to the page that was asked for, or to the overview. */
export const welcome = (
  { next }: Pick<Visit<unknown>, "next">,
  { token: session }: NewSession,
  done: string
): Reply => ({ ...seeOther(next ?? "/account", done), session, ...(next === null ? {} : { next: null }) })
