-- Lineage events and spans are listed by when they happened.

create index lineage_event_by_time on lineage_event (organization_id, (coalesce(event_at, received_at)));

create index usage_span_by_start on usage_span (organization_id, started_at);
