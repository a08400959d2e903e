// The steps of the transcript by the operator's command line, its protected route, and the metrics.
import type { Recorder } from "./Recorder.ts"
import { API } from "./RestSteps.ts"

export const operator = async (it: Recorder, orderId: string, quoteId: string): Promise<void> => {
  const order = await it.call("GET", `${API}/orders/${orderId}`)
  const [first = "", second = ""] = [0, 1].map((index) => order.at("items", index, "link_id"))
  const commands = [
    ...["--help", "nonsense", "account --help", "queue --help", "account list", "queue", "--json queue", "switch"],
    ...[`assign ${second}`, `advance ${second} drafted`, `advance ${second} assigned`, `verify ${second}`],
    ...[
      `publish ${second} https://site-2.example/spring`,
      `verify ${second}`,
      "publish lnk_unknown https://x.example/"
    ],
    ...[`cancel ${first}`, `cancel ${first} --reason test`, `cancel ${first} --reason test`],
    ...[`order show ${orderId}`, `quote show ${quoteId}`, "audit", "reconcile", "--json reconcile", "promo list"],
    ...["site list", "site show 1", "pay q_unknown", "account open --name Ada --email ada@brand.example"]
  ]
  for (const command of commands) await it.operator(...command.split(" "))
  // The published link and the cancelled one.
  await it.deliveries(1)
  await it.call("GET", `${API}/orders/${orderId}`)
  await it.call("GET", `${API}/balance/ledger`)
  for (const key of [null, "wrong"]) await it.call("POST", "/operator/rpc", { key, body: "{}" })
}

/** Names and labels of all metrics, without their values. */
export const metrics = async (it: Recorder): Promise<void> => {
  const { text } = await it.call("GET", "/metrics", { key: null, lengthOnly: true })
  const samples = text.split("\n").map((line) => (line.startsWith("#") ? line : line.replace(/ \S+$/, "")))
  it.write("metrics", samples.join("\n"))
}
