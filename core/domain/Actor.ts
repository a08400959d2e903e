// Who acts for the shop.

/** The name of an operator, as the audit log keeps it: 1 to 64 visible ASCII characters. It is claimed, never proved. */
export type Actor = string
