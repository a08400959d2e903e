// The bench on a terminal: draws the model, turns keys into commands, and leaves the terminal as it was.
import { type Instance, render, Text, useInput, useStdin, useWindowSize } from "ink"
import { useState, useSyncExternalStore } from "react"
import type { BenchSession } from "../events/BenchSession.ts"
import { Frame } from "./Frame.tsx"
import { keyNames, press } from "./KeyInput.ts"
import { DRAWS_PER_SECOND, makeThrottledStore, type ThrottledStore } from "./ThrottledStore.ts"
import { initialView, type Notice, type View } from "./View.ts"

interface AppProps {
  readonly session: BenchSession
  readonly store: ThrottledStore
  readonly colour: boolean
  readonly quit: () => void
}

const App = ({ session, store, colour, quit }: AppProps) => {
  const model = useSyncExternalStore(store.subscribe, store.snapshot)
  const [view, setView] = useState(initialView)
  const screen = useWindowSize()
  const { isRawModeSupported } = useStdin()

  /** Keeps the notice of a later key; the log has every result. */
  const showResult = (pending: Notice, notice: Notice): void =>
    setView((now) => (now.notice === pending ? { ...now, notice } : now))

  const afterKey = (name: string, now: View): View => {
    const action = press(name, store.latest(), now, session.unavailable)
    switch (action._tag) {
      case "Send": {
        const pending: Notice = { ok: null, text: action.message }
        void session.send(action.command).then(({ ok, message }) => showResult(pending, { ok, text: message }))
        return { ...now, notice: pending }
      }
      case "ChangeView":
        return { ...now, ...action.view, notice: { ok: true, text: action.message } }
      case "Refuse":
        return { ...now, notice: { ok: false, text: action.message } }
      case "Quit":
        quit()
        return now
    }
  }

  useInput((input, key) => setView(keyNames(input, key).reduce((now, name) => afterKey(name, now), view)), {
    isActive: isRawModeSupported
  })
  return <Frame model={model} view={view} screen={screen} colour={colour} unavailable={session.unavailable} />
}

/** Defaults: the process's own streams, and colour unless NO_COLOR is set. */
export interface Terminal {
  readonly stdin?: NodeJS.ReadableStream
  readonly stdout?: NodeJS.WritableStream
  readonly colour?: boolean
}

/** Resolves when the person quits or the signal is given, rejects where drawing fails; restores the terminal in every case. */
export const run = async (session: BenchSession, signal: AbortSignal, terminal: Terminal = {}): Promise<void> => {
  const { colour = (process.env["NO_COLOR"] ?? "") === "", ...streams } = terminal
  const store = makeThrottledStore()
  const unsubscribe = session.subscribe(store.push)
  let screen: Instance | undefined
  const quit = () => {
    // After a resize some terminals keep what the alternate screen showed last, so that is made empty.
    screen?.rerender(<Text> </Text>)
    screen?.unmount()
  }
  // The terminal echoes keys that are pressed before raw mode; the first frame must begin at the left edge all the same.
  const { stdout = process.stdout } = streams
  stdout.write("\r")
  try {
    screen = render(<App session={session} store={store} colour={colour} quit={quit} />, {
      ...streams,
      // Ctrl-C is a key of the table.
      exitOnCtrlC: false,
      // The caller has checked the terminal; Ink would also look for the environment of a build server.
      interactive: true,
      alternateScreen: true,
      incrementalRendering: true,
      maxFps: DRAWS_PER_SECOND
    })
    if (signal.aborted) quit()
    signal.addEventListener("abort", quit, { once: true })
    session.start()
    await screen.waitUntilExit()
  } finally {
    signal.removeEventListener("abort", quit)
    unsubscribe()
    store.stop()
    void session.send({ _tag: "Quit" })
  }
}
