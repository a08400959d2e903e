// The union of every refusal of a request, each a typed error with its facts. The contract's table, which is total over `Refusal`,
// adds status, code and wording. Failures of the store and the processor are in `core/ports/shared/PortErrors.ts`.
import type { AccessRefusal } from "./access/AccessRefusal.ts"
import type { CatalogueRefusal } from "./catalogue/CatalogueRefusal.ts"
import type { InvoiceRefusal } from "./invoicing/InvoiceRefusal.ts"
import type { MemberRefusal } from "./members/MemberRefusal.ts"
import type { CancelRefusal } from "./ordering/CancelRefusal.ts"
import type { ChangeRefusal } from "./ordering/ChangeRefusal.ts"
import type { OrderRefusal } from "./ordering/OrderRefusal.ts"
import type { PaymentRefusal } from "./ordering/PaymentRefusal.ts"
import type { TooManyReservations } from "./ordering/ReservationRefusal.ts"
import type { PriceRefusal } from "./pricing/PriceRefusal.ts"
import type { SheetRefusal } from "./pricing/SheetRefusal.ts"
import type { CursorInvalid } from "./shared/RequestRefusal.ts"
import type { WalletRefusal } from "./wallet/WalletRefusal.ts"
import type { WebhookRefusal } from "./webhooks/WebhookRefusal.ts"

export type Refusal =
  | AccessRefusal
  | CancelRefusal
  | CatalogueRefusal
  | ChangeRefusal
  | CursorInvalid
  | InvoiceRefusal
  | MemberRefusal
  | OrderRefusal
  | PaymentRefusal
  | PriceRefusal
  | SheetRefusal
  | TooManyReservations
  | WalletRefusal
  | WebhookRefusal
