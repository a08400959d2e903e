// Who acts for the shop.

/** The name of an operator, as the audit log keeps it: 1 to 64 visible ASCII characters. The client states it without proof. */
export type Actor = string
