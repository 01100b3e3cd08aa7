# docker build -t cutpoint .
# docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/data" cutpoint learn my.csv
FROM python:3.13-slim AS build
# Byte code is written here, once: PYTHONDONTWRITEBYTECODE would have every start compile a thousand modules.
ENV UV_PROJECT_ENVIRONMENT=/opt/cutpoint UV_COMPILE_BYTECODE=1 UV_PYTHON_DOWNLOADS=never
RUN pip install --no-cache-dir "uv==0.13.9"
WORKDIR /src
COPY . .
# The versions of the workflow, and kernels compiled for x86-64 processors with AVX2 and FMA.
RUN uv sync --no-cache --no-default-groups --group workflow --no-editable

FROM python:3.13-slim
COPY --from=build /opt/cutpoint /opt/cutpoint
ENV PATH=/opt/cutpoint/bin:$PATH HOME=/tmp
WORKDIR /data
USER 1000:1000
ENTRYPOINT ["cutpoint"]
