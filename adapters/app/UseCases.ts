// All use cases in one layer. Requires the ports.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer } from "effect"
import * as SigningMac from "#adapters/outbound/SigningMac.ts"
import { AbandonQuote } from "#core/usecases/AbandonQuote.ts"
import { AllInvoices } from "#core/usecases/AllInvoices.ts"
import { AskProcessor } from "#core/usecases/AskProcessor.ts"
import { Authenticate } from "#core/usecases/Authenticate.ts"
import { BrowseCatalogue } from "#core/usecases/BrowseCatalogue.ts"
import { CheckBalance } from "#core/usecases/CheckBalance.ts"
import { CheckSigningKeys } from "#core/usecases/CheckSigningKeys.ts"
import { CloseAccount } from "#core/usecases/CloseAccount.ts"
import { ConfirmAction } from "#core/usecases/ConfirmAction.ts"
import { DecideApproval } from "#core/usecases/DecideApproval.ts"
import { DecideConsent } from "#core/usecases/DecideConsent.ts"
import { DeliverEvents } from "#core/usecases/DeliverEvents.ts"
import { DescribeCaller } from "#core/usecases/DescribeCaller.ts"
import { Draining } from "#core/usecases/Draining.ts"
import { EditBilling } from "#core/usecases/EditBilling.ts"
import { FindById } from "#core/usecases/FindById.ts"
import { FollowSession } from "#core/usecases/FollowSession.ts"
import { FreeFinished } from "#core/usecases/FreeFinished.ts"
import { FulfilLinks } from "#core/usecases/FulfilLinks.ts"
import { HandOverInvoices } from "#core/usecases/HandOverInvoices.ts"
import { IssueInvoices } from "#core/usecases/IssueInvoices.ts"
import { ListPromos } from "#core/usecases/ListPromos.ts"
import { MailApprovals } from "#core/usecases/MailApprovals.ts"
import { MailPurchases } from "#core/usecases/MailPurchases.ts"
import { ManageAccounts } from "#core/usecases/ManageAccounts.ts"
import { ManageConnections } from "#core/usecases/ManageConnections.ts"
import { ManageFactors } from "#core/usecases/ManageFactors.ts"
import { ManageKeys } from "#core/usecases/ManageKeys.ts"
import { ManageMembers } from "#core/usecases/ManageMembers.ts"
import { ManageReviewers } from "#core/usecases/ManageReviewers.ts"
import { ManageWebhooks } from "#core/usecases/ManageWebhooks.ts"
import { MemberKeys } from "#core/usecases/MemberKeys.ts"
import { MemberSessions } from "#core/usecases/MemberSessions.ts"
import { OpenPayment } from "#core/usecases/OpenPayment.ts"
import { PayByPage } from "#core/usecases/PayByPage.ts"
import { PlaceOrder } from "#core/usecases/PlaceOrder.ts"
import { PlanVisibility } from "#core/usecases/PlanVisibility.ts"
import { PruneGrants } from "#core/usecases/PruneGrants.ts"
import { ReadInvoices } from "#core/usecases/ReadInvoices.ts"
import { Reconcile } from "#core/usecases/Reconcile.ts"
import { RecordReversal } from "#core/usecases/RecordReversal.ts"
import { ResealSigningKeys } from "#core/usecases/ResealSigningKeys.ts"
import { ResetCodes } from "#core/usecases/ResetCodes.ts"
import { ResolvePayment } from "#core/usecases/ResolvePayment.ts"
import { SandboxControls } from "#core/usecases/SandboxControls.ts"
import { SettlePayment } from "#core/usecases/SettlePayment.ts"
import { SignDelivery } from "#core/usecases/SignDelivery.ts"
import { SignIn } from "#core/usecases/SignIn.ts"
import { SignInByPasskey } from "#core/usecases/SignInByPasskey.ts"
import { SignInByPassword } from "#core/usecases/SignInByPassword.ts"
import { SimulatePayment } from "#core/usecases/SimulatePayment.ts"
import { StopAgents } from "#core/usecases/StopAgents.ts"
import { SweepQuotes } from "#core/usecases/SweepQuotes.ts"
import { TakeBackup } from "#core/usecases/TakeBackup.ts"
import { TopUpCredit } from "#core/usecases/TopUpCredit.ts"
import { TrackOrders } from "#core/usecases/TrackOrders.ts"
import { UpdateCatalogue } from "#core/usecases/UpdateCatalogue.ts"
import { VerifyFactor } from "#core/usecases/VerifyFactor.ts"
import { ViewAccount } from "#core/usecases/ViewAccount.ts"
import { ViewActivity } from "#core/usecases/ViewActivity.ts"
import { WatchActivity } from "#core/usecases/WatchActivity.ts"
import { WebShop } from "#core/usecases/WebShop.ts"

/** The use cases that others depend on, innermost first. */
const inner = Layer.mergeAll(AbandonQuote.layer, Draining.layer, OpenPayment.layer).pipe(
  Layer.provideMerge(SettlePayment.layer)
)

const sessions = AskProcessor.layer.pipe(Layer.provideMerge(FollowSession.layer), Layer.provideMerge(inner))

const middle = Layer.mergeAll(TrackOrders.layer, SweepQuotes.layer, DecideApproval.layer).pipe(
  Layer.provideMerge(sessions)
)

const delivery = DeliverEvents.layer.pipe(Layer.provide(SignDelivery.layer), Layer.provide(SigningMac.layer))

/** Sessions are begun by sign-ins. */
const signIn = Layer.mergeAll(SignIn.layer, SignInByPasskey.layer, SignInByPassword.layer, ConfirmAction.layer).pipe(
  Layer.provideMerge(ManageFactors.layer),
  Layer.provideMerge(Layer.mergeAll(MemberSessions.layer, ResetCodes.layer, VerifyFactor.layer))
)

/** Consent makes connections. */
const connections = DecideConsent.layer.pipe(Layer.provideMerge(ManageConnections.layer))

export const layer = Layer.mergeAll(
  signIn,
  AllInvoices.layer,
  Authenticate.layer,
  BrowseCatalogue.layer,
  CheckBalance.layer,
  ManageReviewers.layer.pipe(Layer.provideMerge(CloseAccount.layer)),
  CheckSigningKeys.layer,
  DescribeCaller.layer,
  delivery,
  SandboxControls.layer,
  FulfilLinks.layer,
  UpdateCatalogue.layer,
  EditBilling.layer,
  FreeFinished.layer,
  HandOverInvoices.layer,
  IssueInvoices.layer,
  MailApprovals.layer,
  MailPurchases.layer,
  ManageAccounts.layer,
  MemberKeys.layer,
  FindById.layer,
  StopAgents.layer,
  TopUpCredit.layer,
  WebShop.layer,
  ManageMembers.layer,
  PayByPage.layer,
  PlaceOrder.layer,
  PlanVisibility.layer,
  PruneGrants.layer,
  ReadInvoices.layer,
  ResolvePayment.layer,
  SimulatePayment.layer,
  Reconcile.layer,
  RecordReversal.layer,
  ResealSigningKeys.layer,
  ListPromos.layer,
  connections,
  ManageWebhooks.layer,
  TakeBackup.layer,
  ViewAccount.layer,
  ViewActivity.layer,
  WatchActivity.layer
).pipe(Layer.provideMerge(ManageKeys.layer), Layer.provideMerge(middle), Layer.provide(NodeCrypto.layerDigest))
