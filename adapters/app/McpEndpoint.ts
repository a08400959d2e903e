// The MCP endpoint of a server of ours, in process or alone: the same envelope, body reader and request ids as REST.

import type { ServerSettings } from "#adapters/config/Settings.ts"
import { readJsonBody } from "#adapters/http/Intake.ts"
import { CurrentRequestId } from "#adapters/http/RequestId.ts"
import * as McpRoute from "#adapters/mcp/McpRoute.ts"
import { originFilter } from "#adapters/mcp/Origins.ts"

/** Wants the API that the tools relay to. */
export const layer = ({ host, mcpQueryKey, mcpAllowedOrigins }: ServerSettings, publicUrl: string) =>
  McpRoute.layer({
    queryKey: mcpQueryKey,
    allowsOrigin: originFilter({ publicUrl, allowed: mcpAllowedOrigins, host }),
    readJson: readJsonBody,
    requestId: CurrentRequestId
  })
