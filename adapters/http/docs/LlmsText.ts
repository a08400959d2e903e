// /llms.txt: the API on one page of Markdown for agents, generated from the API definition.
import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import {
  MCP_ERRORS,
  MEMBER_ERRORS,
  METRICS_ERRORS,
  NOTICE_ERRORS,
  OPERATOR_ERRORS,
  type Policy,
  PUBLIC_ERRORS,
  TRANSPORT_ERRORS
} from "#adapters/contract/errors/ErrorCode.ts"
import { RequiredScope } from "../api/Access.ts"
import { Api } from "../api/Api.ts"
import { apiGuide } from "./ApiGuide.ts"

const routeLines = (): string => {
  const lines: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: ({ group }) => {
      const title = Context.getOrElse(group.annotations, OpenApi.Title, () => group.identifier)
      lines.push("", `### ${title}`)
    },
    onEndpoint: ({ endpoint }) => {
      const summary = Context.getOrElse(endpoint.annotations, OpenApi.Summary, () => "")
      const scope = Context.getOrElse(endpoint.annotations, RequiredScope, () => "order" as const)
      lines.push(`- \`${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, "{$1}")}\` (${scope}): ${summary}`)
    }
  })
  return lines.join("\n")
}

const errorLines = (errors: Readonly<Record<string, Policy>>): string =>
  Object.entries(errors)
    .map(
      ([code, { status, otherStatuses = [], recovery }]) =>
        `- \`${code}\` (${[status, ...otherStatuses].join(", ")}): ${recovery}`
    )
    .join("\n")

export const llmsText = (publicUrl: string): string => `# Backlink Ordering Service

> Buy backlinks for a human account, from a program or an AI agent. REST under ${publicUrl}/api/v1/agent, key in \`Authorization: Bearer <API_KEY>\`.

- [OpenAPI 3.1 document](${publicUrl}/openapi.json): every field and answer, with examples of requests and what they are answered
- [Guide and reference](${publicUrl}/docs): the same for people, each request as a command to copy
- [MCP server](${publicUrl}/mcp): buying and following as tools, by streamable HTTP with the same key; \`about\` is the tool to begin with. ${publicUrl}/mcp/full has tools for the days after a purchase, too

${apiGuide}

## Routes
The scope that the key must have is in brackets.
${routeLines()}

## Error codes
Code (status): who or what can fix it.
${errorLines(PUBLIC_ERRORS)}

### Before there is a route: what is not sound HTTP, or too long or too slow
${errorLines(TRANSPORT_ERRORS)}

### Of the MCP server at \`/mcp\`
${errorLines(MCP_ERRORS)}

### Of the operator plane and of \`/metrics\`
${errorLines({ ...OPERATOR_ERRORS, ...METRICS_ERRORS })}

### Member area, for people
${errorLines(MEMBER_ERRORS)}

### Of the notices that the payment processor sends
${errorLines(NOTICE_ERRORS)}
`
