// What a tool answers, before the protocol's words are put around it: JSON text, and as the protocol has it.
import type { CallToolResult } from "@modelcontextprotocol/server"

export interface ToolResult {
  /** JSON: what was asked for, or the error envelope. */
  readonly text: string
  readonly refused: boolean
}

/** Without its structured content, for whoever adds that to the text of the whole. */
export const plainResult = ({ text, refused }: ToolResult): CallToolResult => {
  const content: CallToolResult["content"] = [{ type: "text", text }]
  return refused ? { content, isError: true } : { content }
}

export const toCallToolResult = (answer: ToolResult): CallToolResult =>
  answer.refused ? plainResult(answer) : { ...plainResult(answer), structuredContent: JSON.parse(answer.text) }
