-- The database `operations` of the demo before its first run. The other scripts change the database day by
-- day, and a run follows each of them; see examples/README.md.

create schema reference;
comment on schema reference is 'Lists that everybody joins to: operating points, corridors, causes of delays.';

create table reference.calendar (
  day date,
  country char(2),
  is_holiday boolean,
  name text,
  primary key (day, country)
);
comment on table reference.calendar is 'Days and public holidays of each country.';

create table reference.corridor (
  corridor varchar(24),
  origin_region varchar(8),
  destination_region varchar(8),
  km numeric(7,1),
  primary key (corridor)
);
comment on table reference.corridor is 'Origin and destination regions, and how far it is along the track.';

create table reference.delay_cause (
  code varchar(4),
  text text,
  attributable boolean,
  primary key (code)
);
comment on table reference.delay_cause is 'Causes of delays by the code of UIC 450-2.';

create table reference.infrastructure_manager (
  code varchar(16),
  name text,
  country char(2),
  primary key (code)
);
comment on table reference.infrastructure_manager is 'Owners of the tracks, by their company code.';

create table reference.operating_point (
  code varchar(10),
  name text,
  country char(2),
  latitude double precision,
  longitude double precision,
  kind varchar(12),
  primary key (code)
);
comment on table reference.operating_point is 'Stations, junctions and borders with their coordinates.';

create schema wagon_register;
comment on schema wagon_register is 'The register of wagons as the workshops keep it.';

create table wagon_register.series (
  series varchar(12),
  name text,
  axles smallint,
  brake varchar(8),
  primary key (series)
);
comment on table wagon_register.series is 'Types of wagons.';

create table wagon_register.wagon (
  wagon_number char(12),
  series varchar(12) references wagon_register.series,
  owner_code varchar(8),
  built_on date,
  tare_kg integer,
  load_limit_kg integer,
  length_mm integer,
  sensor_unit varchar(16),
  primary key (wagon_number)
);
comment on table wagon_register.wagon is 'One row for each wagon that we keep or hire.';

create table wagon_register.defect_code (
  code varchar(6),
  text text,
  severity smallint,
  primary key (code)
);
comment on table wagon_register.defect_code is 'Defects by the catalog of the General Contract of Use for Wagons.';

create table wagon_register.wagon_hire (
  wagon_number char(12) references wagon_register.wagon,
  hired_from date,
  hired_to date,
  lessor text,
  daily_rate_eur numeric(8,2),
  primary key (wagon_number, hired_from)
);
comment on table wagon_register.wagon_hire is 'Hire contracts of wagons that we do not own.';

create table wagon_register.wagon_inspection (
  wagon_number char(12) references wagon_register.wagon,
  inspected_on date,
  kind varchar(16),
  workshop varchar(16),
  next_due_on date,
  primary key (wagon_number, inspected_on)
);
comment on table wagon_register.wagon_inspection is 'Inspections, and when the next one is due.';

create table wagon_register.wheelset (
  wheelset_id varchar(20),
  wagon_number char(12) references wagon_register.wagon,
  "position" smallint,
  mounted_on date,
  diameter_mm numeric(5,1),
  primary key (wheelset_id)
);
comment on table wagon_register.wheelset is 'Wheelsets and where they are mounted.';

create schema train_planning;
comment on schema train_planning is 'Timetables, train compositions and locomotive rotations of the planning office.';

create table train_planning.timetable (
  path_id varchar(24),
  train_number varchar(10),
  valid_from date,
  valid_to date,
  days bit(7),
  primary key (path_id)
);
comment on table train_planning.timetable is 'Train paths with the days on which they run.';

create table train_planning.locomotive_rotation (
  rotation_id varchar(16),
  locomotive char(12),
  begins_at timestamptz,
  ends_at timestamptz,
  primary key (rotation_id)
);
comment on table train_planning.locomotive_rotation is 'Which locomotive hauls which trains, and when.';

create table train_planning.restriction (
  restriction_id varchar(16),
  from_point varchar(10) references reference.operating_point,
  to_point varchar(10) references reference.operating_point,
  begins_on date,
  ends_on date,
  max_speed smallint,
  primary key (restriction_id)
);
comment on table train_planning.restriction is 'Temporary speed restrictions.';

create table train_planning.timetable_stop (
  path_id varchar(24) references train_planning.timetable,
  stop smallint,
  operating_point varchar(10) references reference.operating_point,
  arrives_at time,
  departs_at time,
  primary key (path_id, stop)
);
comment on table train_planning.timetable_stop is 'Stops of a train path, in order.';

create table train_planning.train_wagon (
  train_number varchar(10),
  departs_on date,
  "position" smallint,
  wagon_number char(12) references wagon_register.wagon,
  primary key (train_number, departs_on, position)
);
comment on table train_planning.train_wagon is 'Wagons of a train in the order of the train.';

create schema raw_train_messages;
comment on schema raw_train_messages is 'Messages of the infrastructure managers as they arrived. Kept for 90 days.';

create table raw_train_messages.dead_letter (
  received_at timestamptz,
  topic text,
  error text,
  payload bytea
);
comment on table raw_train_messages.dead_letter is 'Messages that could not be parsed.';

create table raw_train_messages.forecast (
  message_id uuid,
  received_at timestamptz,
  train_number text,
  forecast_at timestamptz,
  payload jsonb,
  primary key (message_id)
);
comment on table raw_train_messages.forecast is 'TrainRunningForecast messages of TAF TSI.';

create table raw_train_messages.interruption (
  message_id uuid,
  received_at timestamptz,
  train_number text,
  reason_code varchar(4),
  payload jsonb,
  primary key (message_id)
);
comment on table raw_train_messages.interruption is 'TrainRunningInterruption messages.';

create table raw_train_messages.path_details (
  message_id uuid,
  path_id text,
  valid_from date,
  valid_to date,
  payload jsonb,
  primary key (message_id)
);
comment on table raw_train_messages.path_details is 'PathDetails messages: the paths that were granted.';

create table raw_train_messages.path_request (
  message_id uuid,
  received_at timestamptz,
  path_id text,
  payload jsonb,
  primary key (message_id)
);
comment on table raw_train_messages.path_request is 'PathRequest messages to infrastructure managers.';

create table raw_train_messages.running_message (
  message_id uuid,
  received_at timestamptz,
  sender text,
  train_number text,
  payload jsonb,
  primary key (message_id)
);
comment on table raw_train_messages.running_message is 'TrainRunningInformation messages of TAF TSI, one row each.';

create table raw_train_messages.train_composition (
  message_id uuid,
  received_at timestamptz,
  train_number text,
  wagon_count integer,
  payload jsonb,
  primary key (message_id)
);
comment on table raw_train_messages.train_composition is 'TrainComposition messages: the wagons of a departing train.';

create schema train_movements;
comment on schema train_movements is 'Where trains were, compared with their timetable.';

create table train_movements.delays_daily (
  operating_day date,
  train_number varchar(6),
  operating_point varchar(7),
  planned_arrival timestamptz,
  actual_arrival timestamptz,
  planned_departure timestamptz,
  actual_departure timestamptz,
  delay_minutes smallint not null,
  reason_code char(2),
  is_interpolated boolean not null,
  primary key (operating_day, train_number, operating_point)
);
comment on table train_movements.delays_daily is 'One row for each train and station of a day.';
comment on column train_movements.delays_daily.operating_day is 'Day of departure at the first station, local time there.';
comment on column train_movements.delays_daily.train_number is 'Operational train number.';
comment on column train_movements.delays_daily.operating_point is 'Country code and local abbreviation.';
comment on column train_movements.delays_daily.planned_arrival is 'Empty at the first station.';
comment on column train_movements.delays_daily.actual_arrival is 'Empty at the first station, and where the train never arrived.';
comment on column train_movements.delays_daily.planned_departure is 'Empty at the last station.';
comment on column train_movements.delays_daily.actual_departure is 'Empty at the last station.';
comment on column train_movements.delays_daily.delay_minutes is 'Arrival behind the timetable, departure at the first station. Negative when early.';
comment on column train_movements.delays_daily.reason_code is 'The reason with the largest share of the delay. Empty below five minutes.';
comment on column train_movements.delays_daily.is_interpolated is 'True when one of the actual times was computed from its neighbours.';

create schema crew_duties;
comment on schema crew_duties is 'Duties of train drivers and shunters. People appear under pseudonyms only.';

create table crew_duties.duty (
  duty_id varchar(20),
  person_key char(16) not null,
  role varchar(16) not null,
  depot varchar(16) not null,
  planned_begin timestamptz not null,
  planned_end timestamptz not null,
  actual_begin timestamptz,
  actual_end timestamptz,
  absence varchar(16),
  primary key (duty_id)
);
comment on table crew_duties.duty is 'One row for each duty.';
comment on column crew_duties.duty.duty_id is 'Key of the duty.';
comment on column crew_duties.duty.person_key is 'Pseudonym of the person.';
comment on column crew_duties.duty.role is 'What the person does in this duty.';
comment on column crew_duties.duty.depot is 'Where the duty begins.';
comment on column crew_duties.duty.planned_begin is 'As in the roster.';
comment on column crew_duties.duty.planned_end is 'As in the roster.';
comment on column crew_duties.duty.actual_begin is 'Missing until it has begun.';
comment on column crew_duties.duty.actual_end is 'Missing until it has ended.';
comment on column crew_duties.duty.absence is 'Why another person took the duty, in one word and without a diagnosis.';

create table crew_duties.duty_leg (
  duty_id varchar(20) references crew_duties.duty,
  leg smallint,
  train_number varchar(10) not null,
  from_point varchar(10) not null references reference.operating_point,
  to_point varchar(10) not null references reference.operating_point,
  primary key (duty_id, leg)
);
comment on table crew_duties.duty_leg is 'The trains of a duty, in order.';
comment on column crew_duties.duty_leg.duty_id is 'Whose leg it is.';
comment on column crew_duties.duty_leg.leg is 'Counts from 1.';
comment on column crew_duties.duty_leg.train_number is 'Train that is driven or accompanied.';
comment on column crew_duties.duty_leg.from_point is 'Operating point where the leg begins.';
comment on column crew_duties.duty_leg.to_point is 'Operating point where it ends.';

create schema driver_hours;
comment on schema driver_hours is 'Working hours by the rules of the railway labour agreement.';

create table driver_hours.driver_day (
  person_key char(16),
  day date,
  driving_hours numeric(4,2) not null,
  duty_hours numeric(4,2) not null,
  rest_before_hours numeric(6,2),
  breach varchar(24),
  primary key (person_key, day)
);
comment on table driver_hours.driver_day is 'One row for each person and day.';
comment on column driver_hours.driver_day.person_key is 'Pseudonym of the person.';
comment on column driver_hours.driver_day.day is 'Local day of the depot.';
comment on column driver_hours.driver_day.driving_hours is 'At the controls.';
comment on column driver_hours.driver_day.duty_hours is 'From the beginning to the end of the duty.';
comment on column driver_hours.driver_day.rest_before_hours is 'Since the end of the duty before.';
comment on column driver_hours.driver_day.breach is 'Which rule was broken; missing = none.';

create schema safety;
comment on schema safety is 'Incidents and the state of their investigation.';

create table safety.incident (
  incident_id varchar(14),
  occurred_on date not null,
  kind varchar(32) not null,
  severity smallint not null,
  operating_point varchar(10) references reference.operating_point,
  train_number varchar(10),
  wagon_number char(12) references wagon_register.wagon,
  state varchar(16) not null,
  closed_on date,
  primary key (incident_id)
);
comment on table safety.incident is 'One row for each incident in its present state.';
comment on column safety.incident.incident_id is 'Number of the report.';
comment on column safety.incident.occurred_on is 'Local day.';
comment on column safety.incident.kind is 'By the list of the safety authority.';
comment on column safety.incident.severity is '1 = no consequence, 5 = fatal.';
comment on column safety.incident.operating_point is 'Where it happened.';
comment on column safety.incident.train_number is 'Train concerned, if one is.';
comment on column safety.incident.wagon_number is 'Wagon concerned, if one is.';
comment on column safety.incident.state is 'State of the investigation.';
comment on column safety.incident.closed_on is 'Missing while it is open.';

create schema wagon_journeys_v1;
comment on schema wagon_journeys_v1 is 'Deprecated. Ends when its last reader has moved to version 2.';

create table wagon_journeys_v1.journey (
  journey_id integer,
  wagon_number char(12) not null references wagon_register.wagon,
  load_state varchar(10) not null,
  departed_at timestamptz not null,
  arrived_at timestamptz,
  distance numeric(6,1) not null,
  consignment_number varchar(12),
  primary key (journey_id)
);
comment on table wagon_journeys_v1.journey is 'One row for each journey of a wagon.';
comment on column wagon_journeys_v1.journey.journey_id is 'Counted up.';
comment on column wagon_journeys_v1.journey.wagon_number is 'Twelve digits, as painted on the wagon.';
comment on column wagon_journeys_v1.journey.load_state is 'Whether it carried something.';
comment on column wagon_journeys_v1.journey.departed_at is 'Departure of the first train, in UTC.';
comment on column wagon_journeys_v1.journey.arrived_at is 'Arrival of the last train, in UTC. Empty while the wagon is on its way.';
comment on column wagon_journeys_v1.journey.distance is 'Kilometres along the track.';
comment on column wagon_journeys_v1.journey.consignment_number is 'The number printed on the note, which is not unique.';

create schema wagon_journeys_v2;
comment on schema wagon_journeys_v2 is 'Journeys of wagons from loading to unloading.';

create table wagon_journeys_v2.journey (
  journey_id bigint,
  wagon_number char(12) not null references wagon_register.wagon,
  load_state varchar(10) not null,
  departed_at timestamptz not null,
  arrived_at timestamptz,
  distance_km numeric(6,1) not null,
  consignment_id varchar(20),
  legs jsonb not null,
  primary key (journey_id)
);
comment on table wagon_journeys_v2.journey is 'One row for each journey of a wagon.';
comment on column wagon_journeys_v2.journey.journey_id is 'Counted up. Has outgrown 32 bits, so it is wider than in version 1.';
comment on column wagon_journeys_v2.journey.wagon_number is 'Twelve digits, as painted on the wagon.';
comment on column wagon_journeys_v2.journey.load_state is 'Whether it carried something. Empty wagons that were never cleaned are a state of their own.';
comment on column wagon_journeys_v2.journey.departed_at is 'Departure of the first train, in UTC.';
comment on column wagon_journeys_v2.journey.arrived_at is 'Arrival of the last train, in UTC. Empty while the wagon is on its way.';
comment on column wagon_journeys_v2.journey.distance_km is 'Kilometres along the track.';
comment on column wagon_journeys_v2.journey.consignment_id is 'What it carried; key into consignments-v2. Empty for an empty run.';
comment on column wagon_journeys_v2.journey.legs is 'The parts of the journey, in order.';

create schema dbt_staging;
comment on schema dbt_staging is 'Intermediate models of the wagon journeys. May change at any time.';

create table dbt_staging.snapshot_wagon (
  wagon_number char(12),
  dbt_valid_from timestamptz,
  dbt_valid_to timestamptz
);

create view dbt_staging.stg_running_events as
select
  train_number::varchar(10) as train_number,
  (payload ->> 'operatingPoint')::varchar(10) as operating_point,
  received_at as occurred_at
from raw_train_messages.running_message;

create view dbt_staging.stg_positions as
select
  wagon.wagon_number,
  message.received_at as at,
  point.latitude,
  point.longitude
from raw_train_messages.running_message as message
join train_planning.train_wagon as wagon on wagon.train_number = message.train_number
join reference.operating_point as point on point.code = message.payload ->> 'operatingPoint';

create view dbt_staging.stg_wagon_legs as
select
  wagon.wagon_number,
  stop.stop as leg,
  wagon.departs_on + stop.departs_at as begins_at,
  wagon.departs_on + stop.arrives_at as ends_at
from train_planning.train_wagon as wagon
join train_planning.timetable as path on path.train_number = wagon.train_number
join train_planning.timetable_stop as stop on stop.path_id = path.path_id;

create view dbt_staging.int_loaded_state as
select wagon_number, departed_at as at, load_state = 'loaded' as is_loaded
from wagon_journeys_v2.journey;

create view dbt_staging.int_journey_candidates as
select
  row_number() over (order by wagon_number, begins_at) as candidate_id,
  wagon_number,
  extract(epoch from ends_at - begins_at)::double precision as score
from dbt_staging.stg_wagon_legs;

create view train_movements.punctuality_weekly as
select
  date_trunc('week', operating_day)::date as week,
  operating_point,
  count(*) as trains,
  avg(delay_minutes)::numeric(6, 1) as average_delay_minutes
from train_movements.delays_daily
group by week, operating_point;
comment on view train_movements.punctuality_weekly is 'Average delay of each week and station.';

create materialized view wagon_register.inspection_due as
select wagon_number, min(next_due_on) as due_on
from wagon_register.wagon_inspection
group by wagon_number;
comment on materialized view wagon_register.inspection_due is 'The next inspection of each wagon, refreshed every night.';

create schema customer_portal;
comment on schema customer_portal is 'What customers see and do on the portal.';

create table customer_portal.account (
  account_id uuid primary key,
  customer_number varchar(10) not null,
  email varchar(254) not null unique,
  language char(2) not null default 'en',
  created_at timestamptz not null default now()
);
comment on table customer_portal.account is 'People who sign in for a customer. Contains personal data.';
comment on column customer_portal.account.email is 'Personal data.';

create table customer_portal.shipment_watch (
  account_id uuid references customer_portal.account,
  consignment_id varchar(20),
  notify_by varchar(8) not null,
  primary key (account_id, consignment_id)
);
comment on table customer_portal.shipment_watch is 'Consignments of which an account wants to hear.';

create table customer_portal.feedback (
  feedback_id bigint generated always as identity primary key,
  account_id uuid references customer_portal.account,
  stars smallint check (stars between 1 and 5),
  remark text,
  sent_at timestamptz not null
);
comment on table customer_portal.feedback is 'Ratings of deliveries.';

create view customer_portal.rating_monthly as
select date_trunc('month', sent_at)::date as month, avg(stars)::numeric(3, 2) as stars
from customer_portal.feedback
group by month;
comment on view customer_portal.rating_monthly is 'Average rating of each month.';

create schema cargo_office;
comment on schema cargo_office is 'Tables of Cargo Office, the order system that was retired in 2025. Read only, to be removed.';

create table cargo_office.address (id integer primary key, name text, street text, postcode varchar(10), city text, country char(2));
create table cargo_office.agent (id integer primary key, name text, region varchar(8));
create table cargo_office.booking (id integer primary key, customer_no integer, booked_on date, state varchar(8));
create table cargo_office.booking_line (id integer primary key, booking_no integer, line smallint, goods_code varchar(8), weight_kg integer);
create table cargo_office.claim (id integer primary key, booking_no integer, claimed_on date, amount numeric(10,2), currency char(3));
create table cargo_office.commodity (id integer primary key, nhm_code varchar(8), text text);
create table cargo_office.contact (id integer primary key, customer_no integer, name text, phone text, email text);
create table cargo_office.country (id integer primary key, iso char(2), name text);
create table cargo_office.credit_note (id integer primary key, invoice_no integer, issued_on date, amount numeric(12,2));
create table cargo_office.currency (id integer primary key, iso char(3), name text);
create table cargo_office.customer (id integer primary key, customer_no integer, name text, vat_number varchar(16));
create table cargo_office.customer_group (id integer primary key, name text, discount numeric(4,2));
create table cargo_office.document (id integer primary key, booking_no integer, kind varchar(12), file_name text);
create table cargo_office.exchange_rate (id integer primary key, currency char(3), valid_on date, rate numeric(12,6));
create table cargo_office.freight_note (id integer primary key, note_no varchar(12), booking_no integer, printed_at timestamp);
create table cargo_office.goods_class (id integer primary key, rid_class varchar(4), text text);
create table cargo_office.invoice (id integer primary key, customer_no integer, issued_on date, total numeric(12,2));
create table cargo_office.invoice_line (id integer primary key, invoice_no integer, line smallint, amount numeric(12,2));
create table cargo_office.price_list (id integer primary key, valid_from date, valid_to date, name text);
create table cargo_office.price_list_entry (id integer primary key, price_list_no integer, relation varchar(16), price numeric(10,2));
create table cargo_office.relation (id integer primary key, relation varchar(16), from_station varchar(10), to_station varchar(10), km integer);
create table cargo_office.station (id integer primary key, uic_code varchar(10), name text);
create table cargo_office.surcharge (id integer primary key, code varchar(8), text text, percent numeric(5,2));
create table cargo_office.user_account (id integer primary key, login varchar(32), name text, last_login timestamp);

-- dbt builds it without constraints.
create schema wagon_mileage;
comment on schema wagon_mileage is 'Mileage of each wagon.';

create table wagon_mileage.mileage_daily (
  wagon_number char(12),
  day date,
  loaded_km numeric(7,1),
  empty_km numeric(7,1),
  load_state varchar(10),
  position_count integer
);
comment on table wagon_mileage.mileage_daily is 'One row for each wagon and day.';

create schema wheelset_maintenance;
comment on schema wheelset_maintenance is 'Which wheelsets are due for maintenance.';

create table wheelset_maintenance.due_list (
  wagon_number char(12) not null,
  computed_on date not null,
  score smallint not null check (score between 0 and 100),
  main_reason varchar(40) not null,
  axle smallint,
  due_before date,
  evidence jsonb,
  primary key (wagon_number, computed_on)
);
comment on table wheelset_maintenance.due_list is 'One row for each wagon and night.';

-- The delays of the day before.
insert into train_movements.delays_daily (operating_day, train_number, operating_point, delay_minutes, is_interpolated)
values
  ('2026-11-01', '40010', 'DEMASCH', 0, false),
  ('2026-11-01', '41020', 'NLRTMEH', -4, false);

insert into driver_hours.driver_day (person_key, day, driving_hours, duty_hours)
values ('a1f0c7d2e94b6530', '2026-11-01', 6.00, 8.50);
