from typing import Any

from django.db import migrations


def withhold(apps: Any, schema_editor: Any) -> None:
    """Projects from before there were suggestions have not asked for any."""
    for project in apps.get_model("annotation", "Project").objects.all():
        if "suggestion_policy" not in project.settings:
            _write(apps, project, {**project.settings, "suggestion_policy": "off"})


def forget(apps: Any, schema_editor: Any) -> None:
    """Who saved settings since then has all of them; those stay."""
    for project in apps.get_model("annotation", "Project").objects.all():
        settings = dict(project.settings)
        if "suggestion_control_share" not in settings:
            settings.pop("suggestion_policy", None)
        if settings != project.settings:
            _write(apps, project, settings)


def _write(apps: Any, project: Any, settings: dict[str, Any]) -> None:
    apps.get_model("annotation", "Project").objects.filter(pk=project.pk).update(
        settings=settings
    )
    apps.get_model("corpus", "Event").objects.create(
        noun="project",
        object_id=project.pk,
        verb="change",
        project_id=project.pk,
        payload={"set": {"settings": settings}},
    )


class Migration(migrations.Migration):
    dependencies = [("annotation", "0016_suggestions")]

    operations = [migrations.RunPython(withhold, forget)]
