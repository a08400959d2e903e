-- From quote to published link. What must happen once has a unique key, a second line of defence behind the version of
-- the account. Orders write no row for a foreign key to lock: `reconcile` proves these references.
--
-- A quote has its binding to an idempotency key, its hold, its order and its use of a promotion code in its row; the
-- views `bindings`, `holds`, `orders` and `promo_uses` show them.
--
-- An order that credit paid at once has its lines in its links alone: stored here too, they would cost it a tenth more log
-- and a sixth more disk. A quote that waits has no links yet, and stores them.

CREATE TABLE quotes (
  quote_id id NOT NULL,
  account_no integer NOT NULL,
  key_id id NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  lines jsonb NOT NULL,
  items_digest id NOT NULL,
  gross_cents bigint NOT NULL,
  discount text NOT NULL,
  total_cents bigint NOT NULL,
  credit_cents bigint NOT NULL,
  card_cents bigint NOT NULL,
  hold_id id,
  warnings jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('awaiting_approval', 'awaiting_payment', 'paid', 'abandoned')),
  abandoned_by text CHECK (abandoned_by IN ('human', 'agent', 'expiry')),
  order_id id,
  credited_cents bigint NOT NULL CHECK (credited_cents >= 0),
  idempotency_key id,
  payment_token id NOT NULL,
  payment_url text,
  session_id id,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  abandoned_at_ms bigint,
  payment_pending_at_ms bigint,
  ended_session_id id,
  fingerprint id,
  answer_status integer,
  answer_body text,
  answer_freed_at_ms bigint,
  ordered_at_ms bigint,
  order_status text CHECK (order_status IN ('paid', 'in_progress', 'completed', 'cancelled')),
  approved_by text,
  approved_at_ms bigint,
  declined_reason text,
  promo_code id,
  takes_welcome boolean,
  bound_scope text CHECK (bound_scope = 'account'),
  member_id id,
  reference text,
  PRIMARY KEY (quote_id, account_no),
  CONSTRAINT ordered_once UNIQUE (order_id, account_no),
  CONSTRAINT purses_pay_the_total CHECK (credit_cents >= 0 AND card_cents >= 0 AND credit_cents + card_cents = total_cents),
  CONSTRAINT paid_means_ordered CHECK ((status = 'paid') = (order_id IS NOT NULL)),
  CONSTRAINT abandoned_by_somebody CHECK ((status = 'abandoned') = (abandoned_by IS NOT NULL)),
  CONSTRAINT pending_while_open CHECK (payment_pending_at_ms IS NULL OR status = 'awaiting_payment'),
  CONSTRAINT order_is_whole CHECK ((order_id IS NULL) = (ordered_at_ms IS NULL) AND (order_id IS NULL) = (order_status IS NULL)),
  CONSTRAINT binding_is_whole CHECK ((idempotency_key IS NULL) = (fingerprint IS NULL)),
  CONSTRAINT answer_is_whole CHECK ((answer_status IS NULL) = (answer_body IS NULL)),
  CONSTRAINT freed_answer_is_gone CHECK (answer_freed_at_ms IS NULL OR answer_body IS NULL),
  CONSTRAINT declined_means_abandoned CHECK (declined_reason IS NULL OR status = 'abandoned'),
  CONSTRAINT approved_once_decided CHECK (approved_at_ms IS NULL OR status <> 'awaiting_approval')
);

-- A quote is in one of these two: what a caller's key binds is bound in the account and mode, what the service binds itself, and
-- what was bound before step 056, in the credential. The hash takes 8 bytes where a key takes up to 255; queries compare the key too.
CREATE UNIQUE INDEX bound_once ON quotes (key_id, idempotency_key, account_no)
  WHERE idempotency_key IS NOT NULL AND bound_scope IS NULL;
CREATE UNIQUE INDEX bound_in_account ON quotes (account_no, mode, hashtextextended(idempotency_key, 0))
  WHERE bound_scope IS NOT NULL;
-- Look-alikes are searched ten minutes back: entries of the same ten minutes stand together, so that an order writes to a
-- page that the order before wrote to. The hash takes 8 bytes where key and digest take 100, and costs an order a tenth less
-- log and a seventh less disk; queries compare key and digest too.
CREATE INDEX quotes_alike ON quotes ((created_at_ms / 600000), hashtextextended(items_digest, hashtextextended(key_id, 0)))
  WHERE status <> 'abandoned';
CREATE INDEX orders_of_key ON quotes (key_id, order_status, order_id) WHERE order_id IS NOT NULL;
-- The quotes that waited for a payment or an approval. An order that credit covered at once is not among them, and pays nothing for it.
CREATE INDEX quotes_waited ON quotes (key_id, status, quote_id)
  WHERE status <> 'paid' OR card_cents > 0 OR approved_at_ms IS NOT NULL;

-- Only a quote with an amount for a card has a page that its token opens.
CREATE UNIQUE INDEX quotes_by_token ON quotes (payment_token, account_no) WHERE card_cents > 0;
CREATE UNIQUE INDEX quotes_by_session ON quotes (session_id, account_no) WHERE session_id IS NOT NULL;
CREATE INDEX quotes_without_session ON quotes (created_at_ms, quote_id)
  WHERE status = 'awaiting_payment' AND mode = 'live' AND session_id IS NULL;

-- Open quotes wait for payment or approval.
CREATE INDEX quotes_due ON quotes (expires_at_ms, quote_id) WHERE status IN ('awaiting_payment', 'awaiting_approval');
CREATE INDEX quotes_due_of_account ON quotes (account_no, expires_at_ms, quote_id)
  WHERE status IN ('awaiting_payment', 'awaiting_approval');
CREATE INDEX quotes_to_approve ON quotes (account_no, quote_id) WHERE status = 'awaiting_approval';

CREATE INDEX promo_uses_spent ON quotes (promo_code, account_no) WHERE promo_code IS NOT NULL AND status = 'paid';
CREATE INDEX promo_uses_open ON quotes (promo_code, account_no)
  WHERE promo_code IS NOT NULL AND status IN ('awaiting_payment', 'awaiting_approval');
CREATE UNIQUE INDEX welcome_once ON quotes (account_no) WHERE takes_welcome AND status = 'paid';

CREATE INDEX quotes_abandoned ON quotes (abandoned_at_ms, quote_id) WHERE abandoned_at_ms IS NOT NULL;
-- Retention frees answers of quotes that have ended.
CREATE INDEX quotes_answered ON quotes (quote_id)
  WHERE answer_body IS NOT NULL AND (status = 'abandoned' OR order_status IN ('completed', 'cancelled'));

CREATE TRIGGER abandonment_is_noted BEFORE UPDATE ON quotes
  FOR EACH ROW WHEN (NEW.status = 'abandoned' AND OLD.status <> 'abandoned') EXECUTE FUNCTION note_abandonment();
CREATE TRIGGER hold_ends_once BEFORE UPDATE ON quotes
  FOR EACH ROW WHEN (
    OLD.hold_id = NEW.hold_id AND (
      (OLD.status IN ('paid', 'abandoned') AND OLD.status <> NEW.status)
      OR OLD.credit_cents <> NEW.credit_cents
    )
  ) EXECUTE FUNCTION refuse_second_end();
CREATE TRIGGER quote_keeps_its_owner BEFORE UPDATE OF quote_id, key_id, account_no ON quotes
  FOR EACH ROW WHEN (OLD.quote_id <> NEW.quote_id OR OLD.key_id <> NEW.key_id OR OLD.account_no <> NEW.account_no)
  EXECUTE FUNCTION refuse_another_owner();
CREATE TRIGGER named_quote_stays AFTER DELETE ON quotes FOR EACH ROW EXECUTE FUNCTION refuse_orphans();
COMMENT ON TABLE quotes IS 'Quotes with what follows from them: binding, hold, order, use of a code.';
COMMENT ON COLUMN quotes.account_no IS 'Refers to accounts.account_no.';
COMMENT ON COLUMN quotes.key_id IS 'Refers to keys.key_id: the key that ordered.';
COMMENT ON COLUMN quotes.lines IS 'Array of {item, domain, shelf, priceCents, netCents, turnaroundDays}. Empty if the quote became an order at once and no link''s text was changed: the links have the lines, see lines_of().';
COMMENT ON COLUMN quotes.items_digest IS 'SHA-256 of the canonical items, in hexadecimal. Finds look-alikes.';
COMMENT ON COLUMN quotes.gross_cents IS 'The price before the discount.';
COMMENT ON COLUMN quotes.discount IS 'JSON of {source, label, amountCents, code, considered}.';
COMMENT ON COLUMN quotes.credit_cents IS 'The part of the total that credit pays.';
COMMENT ON COLUMN quotes.card_cents IS 'The part of the total that a card pays.';
COMMENT ON COLUMN quotes.hold_id IS 'The hold of the credit; null in sandbox, where credit pays nothing, and where free credit paid: at once, or after the hold was released.';
COMMENT ON COLUMN quotes.warnings IS 'Array of {code, message}.';
COMMENT ON COLUMN quotes.abandoned_by IS 'Null unless the quote is abandoned.';
COMMENT ON COLUMN quotes.order_id IS 'Null until the quote is paid.';
COMMENT ON COLUMN quotes.credited_cents IS 'What late and surplus payments have added to the account''s credit.';
COMMENT ON COLUMN quotes.idempotency_key IS 'The caller''s key, "unkeyed " and a digest for an order without one, or "sheet " with its id and a number for one of a sheet of links; null if the order is not bound, so that a repetition is a new order.';
COMMENT ON COLUMN quotes.payment_token IS 'At least 128 random bits. Its bearer may see, pay and abandon the quote.';
COMMENT ON COLUMN quotes.payment_url IS 'Null until the processor''s session is stored, and if a card pays nothing.';
COMMENT ON COLUMN quotes.session_id IS 'The payment session''s id at the processor; null until it is stored, and in sandbox.';
COMMENT ON COLUMN quotes.abandoned_at_ms IS 'The time by the database''s clock; null unless the quote is abandoned.';
COMMENT ON COLUMN quotes.payment_pending_at_ms IS 'Since when a payment such as a bank debit is under way, during which the quote does not expire; null otherwise.';
COMMENT ON COLUMN quotes.ended_session_id IS 'The last payment session that ended unpaid while the quote was open; null if none did.';
COMMENT ON COLUMN quotes.fingerprint IS 'Digest of the request that the idempotency key stands for; null without a key.';
COMMENT ON COLUMN quotes.answer_status IS 'HTTP status of the stored answer; null until it is stored, and after it is freed.';
COMMENT ON COLUMN quotes.answer_body IS 'The stored answer, read by stored_text(); null until it is stored, and after it is freed.';
COMMENT ON COLUMN quotes.answer_freed_at_ms IS 'When retention freed the answer; null if it did not.';
COMMENT ON COLUMN quotes.ordered_at_ms IS 'Null until the quote is paid.';
COMMENT ON COLUMN quotes.order_status IS 'Follows from the links and is written with every move of one; null until the quote is paid.';
COMMENT ON COLUMN quotes.approved_by IS 'The member or operator who approved it; null if none did, or the sandbox''s control.';
COMMENT ON COLUMN quotes.approved_at_ms IS 'Null unless the quote waited for approval and was approved.';
COMMENT ON COLUMN quotes.declined_reason IS 'What the human who declined told the agent, empty for nothing; null unless it was declined.';
COMMENT ON COLUMN quotes.promo_code IS 'Refers to promos.code: the code that a live quote uses, reserved while it is open and spent once it is paid. Null if it uses none.';
COMMENT ON COLUMN quotes.takes_welcome IS 'True if a live quote takes the welcome offer, otherwise null.';
COMMENT ON COLUMN quotes.bound_scope IS '"account" if the idempotency key is that of all credentials of the account in this mode; null if it is that of the credential alone, as all were before step 056.';
COMMENT ON COLUMN quotes.member_id IS 'Refers to members.member_id: who ordered it in the Shop; null for agents, and for quotes from before step 060.';
COMMENT ON COLUMN quotes.reference IS 'The buyer''s own for the order as a whole; null if there is none.';

CREATE TABLE links (
  link_id id NOT NULL,
  order_id id NOT NULL,
  quote_id id NOT NULL,
  account_no integer NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  index integer NOT NULL,
  site_id bigint NOT NULL,
  domain text NOT NULL,
  shelf text NOT NULL,
  format text NOT NULL,
  article_id bigint,
  target_url text NOT NULL,
  anchor_text text NOT NULL,
  anchor_type text NOT NULL,
  tier2_links integer NOT NULL,
  project_id id,
  opportunity_id id,
  brief text,
  price_cents bigint NOT NULL CHECK (price_cents >= 0),
  net_cents bigint NOT NULL CHECK (net_cents BETWEEN 0 AND price_cents),
  status text NOT NULL CHECK (
    status IN ('to_assign', 'assigned', 'drafted', 'in_review', 'approved', 'published', 'verified', 'cancelled')
  ),
  status_reason text,
  published_url text,
  published_at_ms bigint,
  history jsonb NOT NULL,
  host_path id NOT NULL,
  days_to_publish double precision,
  ordered_at_ms bigint,
  reference text,
  turnaround_days integer,
  PRIMARY KEY (link_id, account_no),
  CONSTRAINT links_order_id_index_key UNIQUE (order_id, index, account_no)
);

-- Equal entries of an index are stored once, but not with a column of type double precision or one that is only included.
CREATE INDEX links_on_site ON links (site_id, status) WHERE mode = 'live' AND status <> 'cancelled';
CREATE INDEX links_online ON links (site_id, days_to_publish)
  WHERE mode = 'live' AND status <> 'cancelled' AND days_to_publish IS NOT NULL;

-- For whether a site was ever ordered; an order pays nothing for it.
CREATE INDEX links_cancelled_on_site ON links (site_id) WHERE mode = 'live' AND status = 'cancelled';

-- The condition says "live" in other words than the index by site: while there are few links the planner finds both
-- equally good, and a plan made then would search all links of a site from there on.
CREATE INDEX links_to_host ON links (account_no, host_path, site_id) WHERE mode <> 'sandbox' AND status <> 'cancelled';
CREATE INDEX links_to_host_in_sandbox ON links (account_no, host_path, site_id)
  WHERE mode = 'sandbox' AND status <> 'cancelled';

CREATE INDEX links_for_opportunity ON links (opportunity_id)
  WHERE opportunity_id IS NOT NULL AND mode = 'live' AND status <> 'cancelled';
CREATE INDEX links_to_work_on ON links (link_id)
  WHERE mode = 'live' AND status IN ('to_assign', 'assigned', 'drafted', 'in_review', 'approved');
CREATE INDEX links_published ON links (account_no, published_at_ms) WHERE published_at_ms IS NOT NULL AND mode = 'live';
-- Holds between accounts, and is the one unique key of these tables without the account's number.
CREATE UNIQUE INDEX article_linked_once ON links (article_id)
  WHERE article_id IS NOT NULL AND mode = 'live' AND status <> 'cancelled';
CREATE TRIGGER link_keeps_its_history BEFORE UPDATE ON links
  FOR EACH ROW WHEN (NOT NEW.history @> OLD.history) EXECUTE FUNCTION keep_link_history();
CREATE TRIGGER link_takes_its_line BEFORE INSERT ON links
  FOR EACH ROW WHEN (NEW.turnaround_days IS NULL) EXECUTE FUNCTION take_quote_line();
COMMENT ON TABLE links IS 'The links of orders, from assignment to publication.';
COMMENT ON COLUMN links.order_id IS 'Refers to quotes.order_id.';
COMMENT ON COLUMN links.quote_id IS 'The quote of the order.';
COMMENT ON COLUMN links.account_no IS 'Refers to accounts.account_no.';
COMMENT ON COLUMN links.index IS 'The place in the order, from 0.';
COMMENT ON COLUMN links.site_id IS 'Refers to sites.site_id.';
COMMENT ON COLUMN links.domain IS 'The site''s domain when it was ordered.';
COMMENT ON COLUMN links.shelf IS 'The site''s shelf when it was ordered.';
COMMENT ON COLUMN links.format IS '"new_article" or "insertion".';
COMMENT ON COLUMN links.article_id IS 'Refers to articles.article_id: the article of an insertion, null for a new article.';
COMMENT ON COLUMN links.anchor_type IS 'How the anchor''s words relate to the target, such as "branded" or "exact".';
COMMENT ON COLUMN links.tier2_links IS 'Further links to the article, 0 for none.';
COMMENT ON COLUMN links.project_id IS 'Refers to projects.project_id; null if the link is for no project.';
COMMENT ON COLUMN links.opportunity_id IS 'Refers to opportunities.opportunity_id; null if the link is for none.';
COMMENT ON COLUMN links.brief IS 'The customer''s words to the writer; null if there are none.';
COMMENT ON COLUMN links.net_cents IS 'The price less the link''s share of the discount: what a cancellation credits.';
COMMENT ON COLUMN links.status_reason IS 'Why the link was moved last, as far as a reason was given; null otherwise.';
COMMENT ON COLUMN links.published_url IS 'Null until the link is online.';
COMMENT ON COLUMN links.published_at_ms IS 'Null until the link is online.';
COMMENT ON COLUMN links.history IS 'Array of {status, atMs, reason, url, refunded, creditedCents, changed, call}; a step with changed is a change of the text.';
COMMENT ON COLUMN links.host_path IS 'The target''s host, largest label first and each label closed by a dot: a domain is a prefix of its subdomains.';
COMMENT ON COLUMN links.days_to_publish IS 'Days from order to publication; null until the link is online.';
COMMENT ON COLUMN links.ordered_at_ms IS 'Null since step 050; the next release drops it.';
COMMENT ON COLUMN links.reference IS 'The buyer''s own for this link; null if there is none.';
COMMENT ON COLUMN links.turnaround_days IS 'Days from the order until the link is due, as its quote promised; null if the quote is from before step 064.';

CREATE TABLE sweep_claims (
  quote_id id PRIMARY KEY,
  until_ms bigint NOT NULL
);
COMMENT ON TABLE sweep_claims IS 'Quotes that an instance is sweeping, so that no other one calls the payment processor for them.';
COMMENT ON COLUMN sweep_claims.quote_id IS 'A due quote, which retention may have freed meanwhile.';
COMMENT ON COLUMN sweep_claims.until_ms IS 'When another instance may take it.';

CREATE TABLE tallies (
  key_id id NOT NULL REFERENCES keys,
  day integer NOT NULL,
  quotes bigint NOT NULL CHECK (quotes >= 0),
  spent_cents bigint NOT NULL CHECK (spent_cents >= 0),
  account_no integer NOT NULL,
  near_limit_at_ms bigint,
  PRIMARY KEY (key_id, day, account_no)
) WITH (fillfactor = 60);
COMMENT ON TABLE tallies IS 'The daily usage of keys.';
COMMENT ON COLUMN tallies.day IS 'UTC days since the Unix epoch.';
COMMENT ON COLUMN tallies.quotes IS 'Quotes made on that day, in any state.';
COMMENT ON COLUMN tallies.spent_cents IS 'What those of the day''s quotes cost that are open or paid.';
COMMENT ON COLUMN tallies.account_no IS 'Refers to accounts.account_no.';
COMMENT ON COLUMN tallies.near_limit_at_ms IS 'When the owners were told that most of a limit of the day is used; null if they were not.';

-- An answer is 830 bytes, of which 80 differ between orders. Stored as it is, it would cost an order a quarter more log and
-- two fifths more disk. Answers with warnings, or which name a domain, are stored as they are: their forms would be without
-- number.
CREATE TABLE text_forms (
  form_id id PRIMARY KEY,
  form text NOT NULL
);
CREATE TRIGGER text_forms_are_append_only BEFORE UPDATE OR DELETE ON text_forms
  FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
COMMENT ON TABLE text_forms IS 'What answers of many quotes have in common; a quote stores what differs, see stored_text(). Append-only.';
COMMENT ON COLUMN text_forms.form_id IS 'The first 66 bits of the form''s SHA-256, in base64url.';
COMMENT ON COLUMN text_forms.form IS 'Text with U+0001 for each value and U+0002 for the quote''s id without prefix and suffix. JSON has neither.';
