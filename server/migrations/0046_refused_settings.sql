-- Rules that are not supported could be stored before in the features of an organization, without effect. They are now
-- null, as they work.

update organization_document
set document = (
  document::jsonb
  || case when document::jsonb ? 'changeProcessMode' then '{"changeProcessMode": null}'::jsonb else '{}' end
  || case when document::jsonb ? 'autoApprovePolicy' then '{"autoApprovePolicy": null}'::jsonb else '{}' end
  || case when document::jsonb ? 'accessProvisioningPolicy' then '{"accessProvisioningPolicy": null}'::jsonb else '{}' end
)::text
where kind = 'features'
  and (
    document::jsonb ->> 'changeProcessMode' is not null
    or document::jsonb ->> 'autoApprovePolicy' is not null
    or document::jsonb ->> 'accessProvisioningPolicy' is not null
  );
