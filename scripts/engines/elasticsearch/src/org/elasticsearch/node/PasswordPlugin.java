package org.elasticsearch.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.elasticsearch.TransportVersion;
import org.elasticsearch.common.io.stream.NamedWriteableRegistry;
import org.elasticsearch.common.network.NetworkService;
import org.elasticsearch.common.settings.ClusterSettings;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.common.util.BigArrays;
import org.elasticsearch.common.util.PageCacheRecycler;
import org.elasticsearch.common.util.concurrent.ThreadContext;
import org.elasticsearch.http.HttpPreRequest;
import org.elasticsearch.http.HttpServerTransport;
import org.elasticsearch.indices.breaker.CircuitBreakerService;
import org.elasticsearch.rest.RestChannel;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;
import org.elasticsearch.telemetry.TelemetryProvider;
import org.elasticsearch.threadpool.ThreadPool;
import org.elasticsearch.transport.Transport;
import org.elasticsearch.transport.netty4.Netty4Plugin;
import org.elasticsearch.transport.netty4.Netty4Transport;
import org.elasticsearch.transport.netty4.SharedGroupFactory;
import org.elasticsearch.xcontent.NamedXContentRegistry;

/** Asks each HTTP request for a password and hangs up on other nodes, since the security module is not published as a jar. */
public class PasswordPlugin extends Netty4Plugin {
    private static final String USER = "portico";
    /** Set before the node starts. */
    static String password;

    @Override
    public Map<String, Supplier<HttpServerTransport>> getHttpTransports(
        Settings settings, ThreadPool threads, BigArrays arrays, PageCacheRecycler recycler, CircuitBreakerService breakers,
        NamedXContentRegistry contents, NetworkService network, HttpServerTransport.Dispatcher dispatcher,
        BiConsumer<HttpPreRequest, ThreadContext> context, ClusterSettings cluster, TelemetryProvider telemetry
    ) {
        return super.getHttpTransports(
            settings, threads, arrays, recycler, breakers, contents, network, guarded(dispatcher), context, cluster, telemetry
        );
    }

    @Override
    public Map<String, Supplier<Transport>> getTransports(
        Settings settings, ThreadPool threads, PageCacheRecycler recycler, CircuitBreakerService breakers,
        NamedWriteableRegistry writeables, NetworkService network
    ) {
        return Map.of(NETTY_TRANSPORT_NAME, () -> new Netty4Transport(
            settings, TransportVersion.current(), threads, network, recycler, writeables, breakers, new SharedGroupFactory(settings)
        ) {
            @Override
            protected ChannelHandler getServerChannelInitializer(String profile) {
                return new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.close();
                    }
                };
            }
        });
    }

    private static HttpServerTransport.Dispatcher guarded(HttpServerTransport.Dispatcher dispatcher) {
        String credentials = USER + ":" + password;
        byte[] expected = ("Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8))).getBytes(UTF_8);
        return new HttpServerTransport.Dispatcher() {
            @Override
            public void dispatchRequest(RestRequest request, RestChannel channel, ThreadContext context) {
                String given = request.header("Authorization");
                if (given != null && MessageDigest.isEqual(given.getBytes(UTF_8), expected)) {
                    dispatcher.dispatchRequest(request, channel, context);
                } else {
                    channel.sendResponse(new RestResponse(RestStatus.UNAUTHORIZED, "a password is asked for"));
                }
            }

            @Override
            public void dispatchBadRequest(RestChannel channel, ThreadContext context, Throwable cause) {
                dispatcher.dispatchBadRequest(channel, context, cause);
            }
        };
    }
}
