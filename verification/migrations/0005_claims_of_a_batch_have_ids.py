from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("verification", "0004_fact_checks")]

    operations = [
        migrations.AddField(
            model_name="factcheck",
            name="external_id",
            field=models.CharField(blank=True, max_length=255, default=""),
            preserve_default=False,
        )
    ]
