// Texts by which a directory verifies that this domain is the operator's, at the name that it asks for below `/.well-known`.
import { Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { ServedRoute } from "./RouteTable.ts"

interface Challenge {
  readonly name: string
  readonly text: string
}

const pathOf = ({ name }: Challenge): HttpRouter.PathInput => `/.well-known/${name}`

export const challengeRoutes = (challenges: ReadonlyArray<Challenge>): ReadonlyArray<ServedRoute> =>
  challenges.map((challenge) => ({ method: "GET", path: pathOf(challenge) }))

export const layer = (challenges: ReadonlyArray<Challenge>) =>
  challenges.reduce<Layer.Layer<never, never, HttpRouter.HttpRouter>>(
    (served, challenge) =>
      Layer.merge(served, HttpRouter.add("GET", pathOf(challenge), HttpServerResponse.text(challenge.text))),
    Layer.empty
  )
