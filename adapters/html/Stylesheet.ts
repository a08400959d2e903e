// The style sheet of every page that the service renders.
import type { ServedRoute } from "#adapters/http/server/RouteTable.ts"
import { staticFile } from "./StaticFile.ts"

const file = staticFile("/style.css", new URL("./style.css", import.meta.url), "text/css; charset=utf-8")

export const stylesheetRoutes: ReadonlyArray<ServedRoute> = [file.route]

export const stylesheetUrl = file.url

export const layer = file.layer
