// A valid payload for every call, about records that do not exist (a call without one does not compile), and the request body of
// a call, valid or not.
import type { Rpc, RpcGroup } from "effect/rpc"
import { OperatorRpcs } from "#adapters/operator/OperatorRpcs.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import {
  AccountId,
  InvitationId,
  KeyId,
  LinkId,
  MemberId,
  OrderId,
  PaymentId,
  ProjectId,
  QuoteId,
  WebhookId
} from "#core/domain/shared/Ids.ts"

type Calls = RpcGroup.Rpcs<typeof OperatorRpcs>

export type Tag = Calls["_tag"]

const accountId = AccountId.make("acc_none")
const keyId = KeyId.make("key_none")
const connectionId = KeyId.make("con_none")
const linkId = LinkId.make("lnk_none")
const quoteId = QuoteId.make("q_none")
const orderId = OrderId.make("ord_none")
const limit = 10

const promo = {
  code: "SPRING",
  reduction: { kind: "percent", basisPoints: 1_000 },
  minimumCents: null,
  startsAtMs: null,
  endsAtMs: null,
  maxRedemptions: null,
  oncePerAccount: false
} as const

export const validPayloads: { readonly [T in Tag]: Rpc.PayloadConstructor<Rpc.ExtractTag<Calls, T>> } = {
  openAccount: { name: "Ada", email: "ada@brand.example" },
  editAccount: { accountId, name: "Ben" },
  showBilling: { accountId },
  saveBilling: { accountId, details: { name: "Ada", address: "1 Main Street", country: "FR" } },
  confirmVatId: { accountId, vatId: "DE136695976", confirmed: true },
  listInvoices: { limit },
  showInvoice: { invoice: "2026-000001" },
  renderInvoice: { invoice: "inv_none" },
  showSeller: {},
  issueFactorCode: { email: "ada@brand.example" },
  createReviewer: { name: "directory", days: 30 },
  listReviewers: {},
  endReviewer: { name: "directory" },
  closeAccount: { accountId, reason: "asked for" },
  changeEmail: { accountId, email: "ben@brand.example" },
  listAccounts: { limit },
  listMembers: { accountId },
  listInvitations: { accountId },
  withdrawInvitation: { accountId, invitationId: InvitationId.make("ivt_none") },
  inviteMember: { accountId, email: "eve@brand.example", role: "viewer" },
  changeMemberRole: { accountId, memberId: MemberId.make("mem_none"), role: "viewer" },
  stopAgents: { accountId, stopped: true },
  listOrders: { accountId, limit },
  removeMember: { accountId, memberId: MemberId.make("mem_none") },
  showAccount: { accountId },
  topUp: { accountId, cents: 100, reference: "transfer 7" },
  debit: { accountId, cents: 100, reference: "transfer 7", reason: "mistyped" },
  readLedger: { accountId, limit },
  issueKey: { accountId, mode: "live", label: "agent", scopes: ["read"], limits: noLimits },
  listKeys: { accountId },
  limitKey: { keyId, limits: { ...noLimits, maxOrderCents: 5, allowedDomains: ["brand.example"] } },
  rotateKey: { keyId },
  revokeKey: { keyId },
  pauseKey: { keyId, paused: true },
  pauseConnection: { connectionId, paused: true },
  listConnections: { accountId },
  limitConnection: { connectionId, limits: { maxDayCents: 5 } },
  revokeConnection: { connectionId },
  listGoods: { promos: [promo] },
  importRows: { kind: "promos", rows: [{ line: 2, cells: { code: "SPRING", percent: "10" } }], dryRun: true },
  findMissing: { siteIds: [999_999], accountIds: [accountId], projectIds: [ProjectId.make("prj_none")] },
  listSites: { limit },
  listPromos: { limit },
  showSite: { siteId: 999_999 },
  listProjects: { accountId },
  planProject: { accountId, projectId: ProjectId.make("prj_none") },
  queue: { limit },
  assign: { linkId },
  advance: { linkId, to: "drafted" },
  publish: { linkId, url: "https://site.example/page" },
  correct: { linkId, url: "https://site1.example/post", reason: "a typing error" },
  verify: { linkId },
  cancelLink: { linkId, reason: "Changed their mind." },
  cancelOrder: { orderId, reason: "Changed their mind." },
  switchFulfilment: { fulfilment: "manual" },
  showFulfilment: {},
  showOrder: { orderId },
  showQuote: { quoteId },
  payQuote: { quoteId },
  approveQuote: { quoteId },
  declineQuote: { quoteId, reason: "Not now." },
  abandonQuote: { quoteId },
  listApprovals: { limit },
  listSetAside: { limit },
  showRetention: {},
  resolvePayment: { paymentId: PaymentId.make("pi_none"), outcome: "refunded", reason: "Sent back." },
  readAudit: { limit },
  listWebhooks: { accountId, keyId },
  listDeliveries: { accountId, keyId, webhookId: WebhookId.make("wh_none"), limit },
  countSigningKeys: {},
  reconcile: {},
  watch: {}
}

/** Tags of all calls. */
export const tags = [...OperatorRpcs.requests.keys()]

export const payloadOf = (tag: string): unknown => Object.entries(validPayloads).find(([name]) => name === tag)?.[1]

/** One call as a line of a body; `over` replaces members of the message. */
export const message = (tag: string, payload: unknown, over: object = {}): string =>
  `${JSON.stringify({ _tag: "Request", id: "1", tag, payload, headers: [], ...over })}\n`
