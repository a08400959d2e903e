// Examples of the settings' pages, for `PageExamples.ts`.
import { type Example, HOSTILE } from "./PageChecks.ts"

const SETTINGS = "/account/settings"

export const settingsExamples: ReadonlyArray<string | Example> = [
  SETTINGS,
  { path: `${SETTINGS}/invitations`, form: { email: HOSTILE, role: "viewer" }, status: 422 },
  `${SETTINGS}/name`,
  { path: `${SETTINGS}/name`, form: { name: "" }, status: 422 },
  `${SETTINGS}/email`,
  { path: `${SETTINGS}/email`, form: { email: HOSTILE }, status: 422 },
  `${SETTINGS}/close`,
  { path: `${SETTINGS}/close`, form: { name: HOSTILE }, status: 409 },
  `${SETTINGS}/factors`,
  `${SETTINGS}/factors/totp`,
  `${SETTINGS}/mails`,
  `${SETTINGS}/billing`,
  { path: `${SETTINGS}/billing`, form: { name: HOSTILE, country: HOSTILE }, status: 422 },
  `${SETTINGS}/time-zone`,
  { path: `${SETTINGS}/time-zone`, form: { zone: HOSTILE }, status: 422 },
  `${SETTINGS}/activity`,
  `${SETTINGS}/activity?about=people&by=member&created_from=2020-01-01`,
  `${SETTINGS}/activity?about=webhooks&by=operator&created_to=2020-01-01`,
  { path: `${SETTINGS}/activity?about=${encodeURIComponent(HOSTILE)}`, status: 422 }
]
