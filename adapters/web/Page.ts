// A page as data: where it is, who may ask for it, and what it answers. The test of access goes over all of them.
import { Context, type Effect } from "effect"
import type { HttpRouter } from "effect/http"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { LegalPage } from "./LegalPages.ts"
import type { Audience, PageRoute, Reply, Visit } from "./PageRoutes.ts"

export type WhoOf<May extends Audience> = May extends "anyone" ? SignedIn | null : SignedIn

/** `R`: the use cases that it asks. A failure that it leaves is shown with the wording of the contract's table. */
export interface Page<R = never> extends PageRoute {
  readonly answer: (visit: Visit<SignedIn>) => Effect.Effect<Reply, Failure, R>
}

const made =
  (method: PageRoute["method"]) =>
  <May extends Audience, Answer extends Effect.Effect<Reply, Failure, unknown>>(
    may: May,
    path: HttpRouter.PathInput,
    answer: (visit: Visit<WhoOf<May>>) => Answer
  ): Page<
    Effect.Services<Answer>
  > => // The router lets nobody who is not signed in ask for a page that is not for anyone, and gives it what it asks.
  ({ method, path, may, answer: answer as never })

export const page = made("GET")

/** The target of a form: of a button alone, or of a form with fields by `submit`. */
export const action = made("POST")

/** What pages know of the service. */
export class WebSettings extends Context.Service<
  WebSettings,
  {
    /** Where people and agents reach the service. */
    readonly publicUrl: string
    readonly legal: ReadonlyArray<LegalPage>
    /** Whether assistants can be connected by OAuth. */
    readonly connects: boolean
  }
>()("backlinks/adapters/web/WebSettings") {}
