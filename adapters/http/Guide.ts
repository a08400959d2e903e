// What an agent has to know before its first call, in prose: for the OpenAPI document and /llms.txt alike.

export const guide = `Buy backlinks on a network of sites that the operator publishes itself. Machine access for a human's account: an agent searches, orders and follows; only a human ever pays by card.

## Order of calls
1. \`GET /api/v1/agent/catalog\` — find sites; \`GET /catalog/{id}\` and \`GET /catalog/{id}/articles\` for details.
2. \`GET /api/v1/agent/balance\` — see what prepaid credit there is.
3. \`POST /api/v1/agent/orders\` with \`dry_run: true\` — see the price, the discount and what a human would have to pay. Show \`summary\` to the user.
4. \`POST /api/v1/agent/orders\` with an \`Idempotency-Key\` — buy, once the user agreed. One key per purchase the user decided on; reuse it on every retry of that purchase.
5. Do what \`next_action\` says: nothing, or give \`payment_url\` to the user and poll \`GET /api/v1/agent/quotes/{id}\`.
6. \`GET /api/v1/agent/orders/{id}\` — follow each link until it is published, or subscribe a webhook.

## Money
- Prices are in euros. \`*_eur\` are euros with at most two decimals, \`*_cents\` whole cents.
- The better of promo code and automatic welcome offer is applied; then prepaid credit; only the rest is billed by card.
- If credit covers the total, the order exists at once. Otherwise the credit part is held, and a human opens \`payment_url\`. An agent never pays by card and never opens the link to pay.
- An unpaid quote lapses at \`expires_at\`; abandoning it gives everything back. Cancelled links come back as prepaid credit.
- \`max_total_eur\` refuses an order that costs more than you told the user.
- A replayed answer shows the state of then: read \`GET /quotes/{id}\` before you show its payment link again.

## Errors
Every refusal has the same shape: \`error.code\` to branch on, \`error.message\`, \`error.suggestion\` with what to do next, and \`error.recovery\`: \`retry\` the same request, \`correct\` it, \`wait\` until \`details.resets_at\`, ask a \`human\`, or \`none\`. Unknown fields and parameters are refused, and the error names what is allowed. After a lost connection ask \`GET /quotes?idempotency_key=…\` whether the order went through.

## Sandbox
Keys that start with \`sn_test_\` answer the same and change nothing; \`sandbox: true\` marks every answer. \`sandbox_credit_cents\` pretends credit, \`POST /sandbox/…\` drives an order through its life.

## Compatibility
The path carries the version. Answers may grow new fields, and enumerations of answers new values; fields are never removed or given another meaning within \`/api/v1\`.`
