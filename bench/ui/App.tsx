// The bench on a terminal: hears events, draws the frame, turns keys into commands, and gives the terminal back as it was.
// What happens in the bench is behind the door that it is given.
import { render, useApp, useInput, useStdin, useWindowSize } from "ink"
import { useState, useSyncExternalStore } from "react"
import type { Bench } from "../Control.ts"
import { Frame } from "./Frame.tsx"
import { keyNames, press } from "./Press.ts"
import { DRAWS_PER_SECOND, makeTelling, type Telling } from "./Telling.ts"
import { firstView, type Notice, type View } from "./View.ts"

export const App = ({
  bench,
  telling,
  colour
}: {
  readonly bench: Bench
  readonly telling: Telling
  readonly colour: boolean
}) => {
  const model = useSyncExternalStore(telling.subscribe, telling.told)
  const [view, setView] = useState(firstView)
  const screen = useWindowSize()
  const { exit } = useApp()
  const { isRawModeSupported } = useStdin()
  const say = (notice: Notice): void => setView((now) => ({ ...now, notice }))

  const act = (name: string, now: View): View => {
    const deed = press(name, telling.latest(), now, bench.unavailable)
    switch (deed._tag) {
      case "Send":
        void bench.send(deed.command).then(({ ok, sentence }) => say({ ok, text: sentence }))
        return { ...now, notice: { ok: null, text: deed.saying } }
      case "Look":
        return { ...now, ...deed.view, notice: { ok: true, text: deed.saying } }
      case "Refuse":
        return { ...now, notice: { ok: false, text: deed.saying } }
      case "Leave":
        exit()
        return now
    }
  }

  useInput((input, key) => setView(keyNames(input, key).reduce((now, name) => act(name, now), view)), {
    isActive: isRawModeSupported
  })
  return <Frame model={model} view={view} screen={screen} colour={colour} />
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
  const telling = makeTelling()
  const stopListening = bench.listen(telling.hear)
  let leave: (() => void) | undefined
  try {
    const screen = render(<App bench={bench} telling={telling} colour={colour} />, {
      ...streams,
      // Whoever calls has seen that there is a terminal; the name of a build server in the environment does not change that.
      interactive: true,
      alternateScreen: true,
      incrementalRendering: true,
      maxFps: DRAWS_PER_SECOND
    })
    leave = () => screen.unmount()
    if (signal.aborted) leave()
    signal.addEventListener("abort", leave, { once: true })
    bench.start()
    await screen.waitUntilExit()
  } finally {
    if (leave !== undefined) signal.removeEventListener("abort", leave)
    stopListening()
    telling.stop()
    void bench.send({ _tag: "Quit" })
  }
}
