// Records every span of a service, with everything that a tracing backend would receive.
import { inspect } from "node:util"
import { Context, Exit, Layer, Tracer } from "effect"

export class SpanRecorder extends Context.Service<
  SpanRecorder,
  {
    /** One text for each ended span: its name, attributes, events, links and failure. */
    readonly spans: ReadonlyArray<string>
  }
>()("backlinks/test/SpanRecorder") {}

const all = { depth: Number.POSITIVE_INFINITY, maxStringLength: null, maxArrayLength: null }

const write = ({ name, attributes, events, links }: Tracer.NativeSpan, exit: Exit.Exit<unknown, unknown>): string =>
  inspect({ name, attributes, events, links, cause: Exit.isFailure(exit) ? exit.cause : null }, all)

/** Also provides the `Tracer`. */
export const layer: Layer.Layer<SpanRecorder> = Layer.suspend(() => {
  const spans: Array<string> = []
  class RecordedSpan extends Tracer.NativeSpan {
    override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
      super.end(endTime, exit)
      spans.push(write(this, exit))
    }
  }
  const tracer = Tracer.make({ span: (options) => new RecordedSpan(options) })
  return Layer.merge(Layer.succeed(Tracer.Tracer, tracer), Layer.succeed(SpanRecorder, { spans }))
})
