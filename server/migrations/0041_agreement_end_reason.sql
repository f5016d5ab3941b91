-- The reason for which an agreement was canceled, beside the reason of the decision on the request. Of agreements that
-- were canceled after a decision, it is not known which of the two the stored reason is, so it stays that of the decision.
alter table access_agreement add column end_reason text;

update access_agreement
set end_reason = decision_reason, decision_reason = null
where state = 'canceled'
  and decided_at is null
  and decision_reason is not null;
