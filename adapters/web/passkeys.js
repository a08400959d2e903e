// Passkeys in forms. A hidden field names by `data-options` where the browser learns what to ask; the answer goes into the field, and the
// form is sent as any other.
const { startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser

const FAILED =
  "The passkey was not used, and nothing was done. Try again; if this page is open at an IP address, open it at localhost instead."

/** What is asked is bound to the form: to where it is sent, and to its fields. */
const optionsFor = async (field, content) => {
  const response = await fetch(field.dataset.options, { method: "POST", body: content })
  // The session has ended, or the page has been open for too long: it says what to do once it is loaded again. A reload would send again
  // what led to this page, and nothing is left to do here meanwhile.
  if (response.status === 401 || response.status === 403) {
    globalThis.location.replace(globalThis.location.href)
    return new Promise(() => undefined)
  }
  if (!response.ok) throw new Error(`The service answered ${response.status}.`)
  return response.json()
}

const contentOf = (form, submitter) => {
  const content = new URLSearchParams(new FormData(form, submitter))
  content.set("confirm_path", new URL(form.action).pathname)
  return content
}

/** A code that was typed stands for a passkey. */
const needsAssertion = ({ assertion, code }) =>
  assertion !== undefined && (code === undefined || code.value.trim() === "")

const fill = async (form, submitter) => {
  const { registration, assertion } = form.elements
  if (registration !== undefined) {
    const optionsJSON = await optionsFor(registration, contentOf(form, submitter))
    registration.value = JSON.stringify(await startRegistration({ optionsJSON }))
  }
  if (needsAssertion(form.elements)) {
    const optionsJSON = await optionsFor(assertion, contentOf(form, submitter))
    assertion.value = JSON.stringify(await startAuthentication({ optionsJSON }))
  }
}

const showProblem = (form) => {
  const problem = form.querySelector("[data-passkey-problem]")
  problem.textContent = FAILED
  problem.hidden = false
}

/** Forms whose hidden fields are filled. */
const filled = new WeakSet()

for (const form of document.querySelectorAll("form:has([data-options])")) {
  form.addEventListener("submit", async (event) => {
    if (filled.has(form)) return
    // Browsers ignore a form that is sent again while it is being sent, so one with nothing to wait for goes its way.
    if (form.elements.registration === undefined && !needsAssertion(form.elements)) return
    event.preventDefault()
    const { submitter } = event
    try {
      await fill(form, submitter)
      filled.add(form)
      form.requestSubmit(submitter)
    } catch (error) {
      console.warn(error)
      showProblem(form)
    } finally {
      filled.delete(form)
    }
  })
}
