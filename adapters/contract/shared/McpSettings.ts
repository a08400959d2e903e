// The settings of an MCP client that sends a key, as pages show them to be copied.

export const mcpSettings = (publicUrl: string, key: string): string =>
  JSON.stringify(
    {
      mcpServers: { backlinks: { type: "http", url: `${publicUrl}/mcp`, headers: { Authorization: `Bearer ${key}` } } }
    },
    null,
    2
  )
