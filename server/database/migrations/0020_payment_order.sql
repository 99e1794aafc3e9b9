CREATE SEQUENCE "public"."payment_order" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "sequence" bigint;--> statement-breakpoint
ALTER TABLE "paymail_destinations" ADD COLUMN "sequence" bigint;