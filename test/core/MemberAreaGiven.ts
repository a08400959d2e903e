// A member area without addresses, for tests that follow none.
import type { MemberArea } from "#core/ports/members/MemberArea.ts"

const nowhere = (): string => ""

export const noPages: MemberArea["Service"] = {
  signUp: "closed",
  signInPage: nowhere,
  invitationPage: nowhere,
  emailChangePage: nowhere,
  topUpPage: nowhere,
  topUpForm: null,
  ...{
    stopPage: "",
    closedPage: "",
    settingsPage: "",
    activityPage: "",
    overviewPage: "",
    approvalsPage: "",
    mailsPage: "",
    creditPage: ""
  },
  ...{ ordersPage: "", orderPage: nowhere, linksPage: "", quotesPage: "", quotePage: nowhere },
  ...{ invoicesPage: "", invoicePage: nowhere }
}
