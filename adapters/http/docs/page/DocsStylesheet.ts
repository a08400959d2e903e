// What `/docs` adds to the style sheet of all pages.

import { staticFile } from "#adapters/html/StaticFile.ts"
import type { ServedRoute } from "../../server/RouteTable.ts"

const file = staticFile("/docs.css", new URL("./docs.css", import.meta.url), "text/css; charset=utf-8")

export const routes: ReadonlyArray<ServedRoute> = [file.route]

export const url = file.url

export const layer = file.layer
