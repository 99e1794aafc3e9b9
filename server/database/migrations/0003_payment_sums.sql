CREATE TABLE "payment_sums" (
	"client_identifier" text NOT NULL,
	"quarter" timestamp with time zone NOT NULL,
	"currency" text NOT NULL,
	"payments" integer NOT NULL,
	"unrated" integer NOT NULL,
	"satoshis" numeric NOT NULL,
	"worth" numeric NOT NULL,
	CONSTRAINT "payment_sums_client_identifier_quarter_currency_pk" PRIMARY KEY("client_identifier","quarter","currency")
);
--> statement-breakpoint
CREATE INDEX "payments_client_status" ON "payments" USING btree ("client_identifier","status","created_at","id") WHERE "payments"."client_identifier" is not null;--> statement-breakpoint
CREATE INDEX "payments_client_sender" ON "payments" USING btree ("client_identifier","sender_paymail","created_at","id") WHERE "payments"."client_identifier" is not null and "payments"."sender_paymail" is not null;--> statement-breakpoint
CREATE INDEX "payments_client_button" ON "payments" USING btree ("client_identifier",md5("button_id"),"created_at","id") WHERE "payments"."client_identifier" is not null and "payments"."button_id" is not null;--> statement-breakpoint
CREATE INDEX "payments_client_label" ON "payments" USING btree ("client_identifier",md5("label"),"created_at","id") WHERE "payments"."client_identifier" is not null and "payments"."label" is not null;--> statement-breakpoint
INSERT INTO "payment_sums" SELECT "client_identifier", date_bin('15 minutes', "created_at", '2000-01-01T00:00:00Z'), "currency", count(*), count(*) FILTER (WHERE "currency" <> 'BSV' AND "currency_rate" IS NULL), sum("satoshis"), coalesce(sum(round("satoshis" * (CASE WHEN "currency" = 'BSV' THEN 1 ELSE "currency_rate"::numeric END) * 0.00000001, 8)), 0) FROM "payments" WHERE "client_identifier" IS NOT NULL AND "status" <> 'FAILED' GROUP BY 1, 2, 3;
