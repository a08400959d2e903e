// Which ports are not implemented by the stores, and the room that provides each. `PortRule` enforces it.

/** Ports that are not stores have no file of that name in memory and Postgres: this room provides them instead. */
export const providedElsewhere: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    "adapters/payments": ["PaymentProcessor"],
    "adapters/outbound": ["ClientDocuments", "TargetProbe", "HostResolver", "Vault", "WebhookSender"],
    "adapters/oauth": ["AuthorizationRequests"],
    "adapters/factors": ["Passkeys", "Passwords", "TotpCodes"],
    "adapters/invoices": ["InvoiceOutlet", "InvoiceRenderer"],
    "adapters/app": ["ServiceContext", "MemberArea"],
    "adapters/mail": ["Mailer"]
  }).flatMap(([room, ports]) => ports.map((port) => [port, room]))
)
