// The style sheet and the mark of every page that the service renders.
import { Layer } from "effect"
import type { ServedRoute } from "#adapters/http/server/RouteTable.ts"
import { staticFile } from "./StaticFile.ts"

const file = staticFile("/style.css", new URL("./style.css", import.meta.url), "text/css; charset=utf-8")

const mark = staticFile("/favicon.svg", new URL("./mark.svg", import.meta.url), "image/svg+xml")

export const stylesheetRoutes: ReadonlyArray<ServedRoute> = [file.route, mark.route]

export const stylesheetUrl = file.url

export const markUrl = mark.url

export const layer = Layer.merge(file.layer, mark.layer)
