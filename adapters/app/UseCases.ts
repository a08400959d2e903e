// All use cases in one layer. Requires the ports.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer } from "effect"
import * as SigningMac from "#adapters/outbound/SigningMac.ts"
import { Authenticate } from "#core/usecases/access/Authenticate.ts"
import { BindCalls } from "#core/usecases/access/BindCalls.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { DecideConsent } from "#core/usecases/access/DecideConsent.ts"
import { DescribeCaller } from "#core/usecases/access/DescribeCaller.ts"
import { EndExpiredKeys } from "#core/usecases/access/EndExpiredKeys.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { StopAgents } from "#core/usecases/access/StopAgents.ts"
import { BrowseCatalogue } from "#core/usecases/catalogue/BrowseCatalogue.ts"
import { ListPromos } from "#core/usecases/catalogue/ListPromos.ts"
import { PlanVisibility } from "#core/usecases/catalogue/PlanVisibility.ts"
import { UpdateCatalogue } from "#core/usecases/catalogue/UpdateCatalogue.ts"
import { AllInvoices } from "#core/usecases/invoicing/AllInvoices.ts"
import { EditBilling } from "#core/usecases/invoicing/EditBilling.ts"
import { HandOverInvoices } from "#core/usecases/invoicing/HandOverInvoices.ts"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import { ReadInvoices } from "#core/usecases/invoicing/ReadInvoices.ts"
import { MailOwners } from "#core/usecases/mails/MailOwners.ts"
import { ChangeEmail } from "#core/usecases/members/ChangeEmail.ts"
import { CloseAccount } from "#core/usecases/members/CloseAccount.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import { JoinAccount } from "#core/usecases/members/JoinAccount.ts"
import { KnownDevices } from "#core/usecases/members/KnownDevices.ts"
import { MailInvitations } from "#core/usecases/members/MailInvitations.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { ManageAuthenticatorApp } from "#core/usecases/members/ManageAuthenticatorApp.ts"
import { ManageFactors } from "#core/usecases/members/ManageFactors.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { ManagePasskeys } from "#core/usecases/members/ManagePasskeys.ts"
import { ManageReviewers } from "#core/usecases/members/ManageReviewers.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { ResetCodes } from "#core/usecases/members/ResetCodes.ts"
import { ShowOnce } from "#core/usecases/members/ShowOnce.ts"
import { SignIn } from "#core/usecases/members/SignIn.ts"
import { SignInByPasskey } from "#core/usecases/members/SignInByPasskey.ts"
import { SignInByPassword } from "#core/usecases/members/SignInByPassword.ts"
import { SignInCodes } from "#core/usecases/members/SignInCodes.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"
import { VerifyFactor } from "#core/usecases/members/VerifyFactor.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { ViewAgents } from "#core/usecases/members/ViewAgents.ts"
import { FindById } from "#core/usecases/operations/FindById.ts"
import { FreeFinished } from "#core/usecases/operations/FreeFinished.ts"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { TakeBackup } from "#core/usecases/operations/TakeBackup.ts"
import { ViewActivity } from "#core/usecases/operations/ViewActivity.ts"
import { WatchActivity } from "#core/usecases/operations/WatchActivity.ts"
import { AbandonQuote } from "#core/usecases/ordering/AbandonQuote.ts"
import { AskProcessor } from "#core/usecases/ordering/AskProcessor.ts"
import { BuySheet } from "#core/usecases/ordering/BuySheet.ts"
import { ChangeLinks } from "#core/usecases/ordering/ChangeLinks.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { Draining } from "#core/usecases/ordering/Draining.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { KeepSheets } from "#core/usecases/ordering/KeepSheets.ts"
import { ListPurchases } from "#core/usecases/ordering/ListPurchases.ts"
import { OwnPurchases } from "#core/usecases/ordering/OwnPurchases.ts"
import { PaymentSessions } from "#core/usecases/ordering/PaymentSessions.ts"
import { Payments } from "#core/usecases/ordering/Payments.ts"
import { PayQuote } from "#core/usecases/ordering/PayQuote.ts"
import { PlaceOrder } from "#core/usecases/ordering/PlaceOrder.ts"
import { RepeatedOrders } from "#core/usecases/ordering/RepeatedOrders.ts"
import { SandboxControls } from "#core/usecases/ordering/SandboxControls.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { TrackOrders } from "#core/usecases/ordering/TrackOrders.ts"
import { ViewLinks } from "#core/usecases/ordering/ViewLinks.ts"
import { ViewWaiting } from "#core/usecases/ordering/ViewWaiting.ts"
import { WebShop } from "#core/usecases/ordering/WebShop.ts"
import { NoteRefusals } from "#core/usecases/shared/NoteRefusals.ts"
import { CheckBalance } from "#core/usecases/wallet/CheckBalance.ts"
import { FollowTopUps } from "#core/usecases/wallet/FollowTopUps.ts"
import { OpenTopUps } from "#core/usecases/wallet/OpenTopUps.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { ViewCredit } from "#core/usecases/wallet/ViewCredit.ts"
import { CheckSigningKeys } from "#core/usecases/webhooks/CheckSigningKeys.ts"
import { DeliverEvents } from "#core/usecases/webhooks/DeliverEvents.ts"
import { ListEvents } from "#core/usecases/webhooks/ListEvents.ts"
import { ManageWebhooks } from "#core/usecases/webhooks/ManageWebhooks.ts"
import { ResealSigningKeys } from "#core/usecases/webhooks/ResealSigningKeys.ts"
import { SignDelivery } from "#core/usecases/webhooks/SignDelivery.ts"

/** The use cases that others depend on, innermost first. */
const payments = PaymentSessions.layer.pipe(Layer.provideMerge(Payments.layer))

const middle = Layer.mergeAll(TrackOrders.layer, ListPurchases.layer, SweepQuotes.layer, DecideApproval.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(AbandonQuote.layer, AskProcessor.layer, Draining.layer)),
  Layer.provideMerge(payments)
)

const delivery = DeliverEvents.layer.pipe(Layer.provide(SignDelivery.layer), Layer.provide(SigningMac.layer))

/** Sessions are begun by sign-ins. */
const signIn = Layer.mergeAll(
  SignIn.layer,
  SignInLinks.layer,
  SignInByPasskey.layer,
  SignInByPassword.layer,
  ShowOnce.layer,
  ChangeEmail.layer
).pipe(
  Layer.provideMerge(SignInCodes.layer.pipe(Layer.provide(SigningMac.layer))),
  Layer.provideMerge(Layer.mergeAll(ManagePasskeys.layer, ManageAuthenticatorApp.layer)),
  Layer.provideMerge(Layer.mergeAll(ManageFactors.layer, JoinAccount.layer)),
  Layer.provideMerge(ConfirmAction.layer),
  Layer.provideMerge(Layer.mergeAll(KnownDevices.layer, MemberSessions.layer, ResetCodes.layer, VerifyFactor.layer))
)

export const layer = Layer.mergeAll(
  signIn,
  AllInvoices.layer,
  Authenticate.layer,
  BindCalls.layer,
  BrowseCatalogue.layer,
  ChangeLinks.layer,
  CheckBalance.layer,
  ManageReviewers.layer.pipe(Layer.provideMerge(CloseAccount.layer)),
  CheckSigningKeys.layer,
  ListEvents.layer,
  DescribeCaller.layer,
  delivery,
  SandboxControls.layer,
  FulfilLinks.layer,
  UpdateCatalogue.layer,
  EditBilling.layer,
  FreeFinished.layer,
  HandOverInvoices.layer,
  IssueInvoices.layer,
  MailOwners.layer,
  ManageAccounts.layer,
  FindById.layer,
  StopAgents.layer,
  TopUpCredit.layer.pipe(Layer.provideMerge(OpenTopUps.layer)),
  WebShop.layer,
  ManageMembers.layer.pipe(Layer.provideMerge(MailInvitations.layer)),
  OwnPurchases.layer,
  PayQuote.layer,
  BuySheet.layer.pipe(
    Layer.provideMerge(KeepSheets.layer),
    Layer.provideMerge(PlaceOrder.layer.pipe(Layer.provide(RepeatedOrders.layer)))
  ),
  PlanVisibility.layer,
  ReadInvoices.layer,
  Reconcile.layer,
  ResealSigningKeys.layer,
  ListPromos.layer,
  DecideConsent.layer.pipe(Layer.provideMerge(OwnCredentials.layer)),
  ManageWebhooks.layer,
  TakeBackup.layer,
  Layer.mergeAll(ViewAccount.layer, ViewCredit.layer).pipe(Layer.provideMerge(ViewWaiting.layer)),
  ViewAgents.layer,
  ViewLinks.layer,
  ViewActivity.layer,
  WatchActivity.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(Credentials.layer, EndExpiredKeys.layer, FollowTopUps.layer, NoteRefusals.layer)),
  Layer.provideMerge(middle),
  Layer.provide(NodeCrypto.layerDigest)
)
