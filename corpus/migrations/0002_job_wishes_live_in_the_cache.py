from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("corpus", "0001_people_jobs_events_library")]
    operations = [
        migrations.RemoveField(model_name="job", name="cancel_requested"),
        migrations.RemoveField(model_name="job", name="heartbeat_at"),
    ]
