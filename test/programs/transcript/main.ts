// Prints what a service says over REST, MCP, webhooks, pages and its command line, with ids, times and tokens masked:
// `npm run -s transcript -- [--checkout DIR] [--store memory|embedded]`. Two versions are compared by diff.
import { parseArgs } from "node:util"
import { mcp } from "./McpSteps.ts"
import { metrics, operator } from "./OperatorSteps.ts"
import * as Orders from "./OrderSteps.ts"
import { Recorder } from "./Recorder.ts"
import * as Rest from "./RestSteps.ts"

const { values } = parseArgs({
  options: { checkout: { type: "string", default: "." }, store: { type: "string", default: "memory" } }
})

const steps = async (it: Recorder): Promise<void> => {
  await Rest.systemRoutes(it)
  await Rest.access(it)
  const { cursor, site, article } = await Rest.catalogue(it)
  await Rest.balances(it)
  const webhook = await Rest.webhooks(it)
  await Orders.refusedOrders(it, site, article)
  const [paid, byCard] = await Orders.orders(it, site, article)
  const [orderId, quoteId] = [paid.at("order_id"), paid.at("quote_id")]
  await operator(it, orderId, quoteId)
  await Rest.webhookUpkeep(it, webhook)
  await Orders.sandbox(it, byCard.at("quote_id"))
  const projectId = await Rest.visibility(it)
  await mcp(it, { orderId, quoteId, projectId, articleSite: site, cursor })
  await metrics(it)
}

process.stdout.write(await Recorder.record(values.checkout, values.store, steps))
