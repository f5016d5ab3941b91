-- Cargo Office is removed. Its schema loses all tables at once, so the run holds the deletes for a person.
drop table cargo_office.address;
drop table cargo_office.agent;
drop table cargo_office.booking;
drop table cargo_office.booking_line;
drop table cargo_office.claim;
drop table cargo_office.commodity;
drop table cargo_office.contact;
drop table cargo_office.country;
drop table cargo_office.credit_note;
drop table cargo_office.currency;
drop table cargo_office.customer;
drop table cargo_office.customer_group;
drop table cargo_office.document;
drop table cargo_office.exchange_rate;
drop table cargo_office.freight_note;
drop table cargo_office.goods_class;
drop table cargo_office.invoice;
drop table cargo_office.invoice_line;
drop table cargo_office.price_list;
drop table cargo_office.price_list_entry;
drop table cargo_office.relation;
drop table cargo_office.station;
drop table cargo_office.surcharge;
drop table cargo_office.user_account;

alter table reference.corridor add column electrified_km numeric(7, 1);
comment on column reference.corridor.electrified_km is 'Kilometres with overhead line.';

alter table wagon_register.wheelset add column last_turned_on date;
comment on column wagon_register.wheelset.last_turned_on is 'When it was last reprofiled.';

-- The delays of the day before.
insert into train_movements.delays_daily (operating_day, train_number, operating_point, delay_minutes, is_interpolated)
values
  ('2026-11-10', '40019', 'DEMASCH', 0, false),
  ('2026-11-10', '41029', 'NLRTMEH', 23, false);
