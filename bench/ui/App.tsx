// The bench on a terminal: hears events, draws the frame, turns keys into commands, and gives the terminal back as it was.
// What happens in the bench is behind the door that it is given.
import { type Instance, render, Text, useInput, useStdin, useWindowSize } from "ink"
import { useState, useSyncExternalStore } from "react"
import type { Bench } from "../events/Command.ts"
import { Frame } from "./Frame.tsx"
import { keyNames, press } from "./KeyInput.ts"
import { DRAWS_PER_SECOND, makeThrottledStore, type ThrottledStore } from "./ThrottledStore.ts"
import { firstView, type Notice, type View } from "./View.ts"

export const App = ({
  bench,
  store,
  colour,
  leave
}: {
  readonly bench: Bench
  readonly store: ThrottledStore
  readonly colour: boolean
  readonly leave: () => void
}) => {
  const model = useSyncExternalStore(store.subscribe, store.snapshot)
  const [view, setView] = useState(firstView)
  const screen = useWindowSize()
  const { isRawModeSupported } = useStdin()
  /** Unless the person has done something else by now: then it stands in the log alone. */
  const answer = (pending: Notice, notice: Notice): void =>
    setView((now) => (now.notice === pending ? { ...now, notice } : now))

  const act = (name: string, now: View): View => {
    const deed = press(name, store.latest(), now, bench.unavailable)
    switch (deed._tag) {
      case "Send": {
        const pending: Notice = { ok: null, text: deed.saying }
        void bench.send(deed.command).then(({ ok, sentence }) => answer(pending, { ok, text: sentence }))
        return { ...now, notice: pending }
      }
      case "Look":
        return { ...now, ...deed.view, notice: { ok: true, text: deed.saying } }
      case "Refuse":
        return { ...now, notice: { ok: false, text: deed.saying } }
      case "Leave":
        leave()
        return now
    }
  }

  useInput((input, key) => setView(keyNames(input, key).reduce((now, name) => act(name, now), view)), {
    isActive: isRawModeSupported
  })
  return <Frame model={model} view={view} screen={screen} colour={colour} unavailable={bench.unavailable} />
}

/** The streams are the process's own outside of tests. */
export interface Terminal {
  readonly stdin?: NodeJS.ReadableStream
  readonly stdout?: NodeJS.WritableStream
  /** By default as https://no-color.org asks for. */
  readonly colour?: boolean
}

/**
 * Takes the terminal, draws, and resolves once the person has quit or the signal was given, with the terminal as it was before.
 * Rejects, with the terminal as it was before too, where drawing fails.
 */
export const run = async (bench: Bench, signal: AbortSignal, terminal: Terminal = {}): Promise<void> => {
  const { colour = (process.env["NO_COLOR"] ?? "") === "", ...streams } = terminal
  const store = makeThrottledStore()
  const stopListening = bench.subscribe(store.push)
  let screen: Instance | undefined
  const leave = () => {
    // Terminals may show what is left on the program's own screen, once it was resized, below what was there before.
    screen?.rerender(<Text> </Text>)
    screen?.unmount()
  }
  // The terminal itself shows keys that are pressed before anybody reads them. The first frame must not begin behind them.
  const { stdout = process.stdout } = streams
  stdout.write("\r")
  try {
    screen = render(<App bench={bench} store={store} colour={colour} leave={leave} />, {
      ...streams,
      // A key like any other.
      exitOnCtrlC: false,
      // Whoever calls has seen that there is a terminal; the name of a build server in the environment does not change that.
      interactive: true,
      alternateScreen: true,
      incrementalRendering: true,
      maxFps: DRAWS_PER_SECOND
    })
    if (signal.aborted) leave()
    signal.addEventListener("abort", leave, { once: true })
    bench.start()
    await screen.waitUntilExit()
  } finally {
    signal.removeEventListener("abort", leave)
    stopListening()
    store.stop()
    void bench.send({ _tag: "Quit" })
  }
}
