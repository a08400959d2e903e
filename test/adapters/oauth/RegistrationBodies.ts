// What clients send when they register themselves, as published or as recorded from their requests: each must be taken.

export const registrationBodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "claude.ai": {
    client_name: "Claude",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: "read",
    redirect_uris: ["https://claude.ai/api/mcp/auth_callback"]
  },
  "Claude Code": {
    client_name: "Claude Code (backlinks)",
    redirect_uris: ["http://localhost:54212/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none"
  },
  ChatGPT: {
    client_name: "ChatGPT",
    redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "client_secret_post"
  },
  Cursor: {
    client_name: "Cursor",
    redirect_uris: [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "https://www.cursor.com/agents/mcp/oauth/callback",
      "http://localhost:8787/callback"
    ],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native"
  },
  "VS Code": {
    client_name: "Visual Studio Code",
    client_uri: "https://code.visualstudio.com",
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    response_types: ["code"],
    redirect_uris: [
      "https://insiders.vscode.dev/redirect",
      "https://vscode.dev/redirect",
      "http://127.0.0.1/",
      "http://localhost/",
      "http://127.0.0.1:33418/",
      "http://localhost:33418/"
    ],
    token_endpoint_auth_method: "none",
    application_type: "native"
  },
  "MCP Inspector": {
    redirect_uris: ["http://localhost:6274/oauth/callback"],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    client_name: "MCP Inspector",
    client_uri: "https://github.com/modelcontextprotocol/inspector",
    scope: "read order"
  },
  "mcp-remote": {
    redirect_uris: ["http://localhost:3334/oauth/callback"],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    client_name: "MCP CLI Proxy",
    client_uri: "https://github.com/modelcontextprotocol/mcp-cli",
    software_id: "2e6dc280-f3c3-4e01-99a7-8181dbd1d23d",
    software_version: "0.1.16"
  },
  "a client that says little": { redirect_uris: ["com.example.app:/callback"], scope: null, contacts: "none", jwks: 5 }
}
