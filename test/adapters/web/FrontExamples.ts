// The pages for everyone, which are not of the member area: with hostile texts where they take any.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Example, HOSTILE } from "./PageChecks.ts"

const legalText = join(mkdtempSync(join(tmpdir(), "legal-")), "text.md")
writeFileSync(
  legalText,
  `# ${HOSTILE}\n\n### Rights\n\n- ${HOSTILE}\n\n1. [to ask](https://shop.example/?${HOSTILE})\n`
)

/** Settings of the service that has these pages. */
export const LEGAL = {
  PRIVACY_FILE: legalText,
  TERMS_FILE: legalText,
  PUBLIC_CATALOGUE: "on",
  SUPPORT_CONTACT: HOSTILE
}

const hostile = encodeURIComponent(HOSTILE)

export const frontExamples: ReadonlyArray<Example> = [
  { path: "/" },
  { path: "/privacy" },
  { path: "/terms" },
  { path: "/sites" },
  { path: `/sites?query=${hostile}` },
  { path: "/sites?query=a&sort=-tf" },
  { path: `/sites?min_tf=${hostile}&niche=${hostile}`, status: 422 },
  { path: `/sites?cursor=${hostile}`, status: 410 }
]
